'use strict';

const { whenServing } = require('./lib/preload');

whenServing(() => require('./index.js').install());

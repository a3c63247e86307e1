'use strict';

require('./index.js').install();

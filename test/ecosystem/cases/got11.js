'use strict';

const { clientCase } = require('../apps/clients');
const { questions } = require('../apps/got');

module.exports = clientCase(['got11'], (origin) => questions(origin, require('got11')));

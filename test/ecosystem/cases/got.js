'use strict';

const { clientCase } = require('../apps/clients');
const { questions } = require('../apps/got');

module.exports = clientCase(['got'], async (origin) =>
  questions(origin, (await import('got')).got),
);

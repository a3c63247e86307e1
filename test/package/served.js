'use strict';

const exchange = require('./exchange.js');

exchange().then((answer) => {
  console.log(JSON.stringify({ answer, stats: require('onewrite').stats() }));
});

'use strict';

const http = require('node:http');
const { BOOKS, queries, resolvers, typeDefs } = require('../graphql');

module.exports = {
  packages: ['graphql-yoga', 'graphql'],
  measured: BOOKS,
  server(t) {
    const { createSchema, createYoga } = require('graphql-yoga');
    const schema = createSchema({ typeDefs, resolvers: resolvers(t) });
    return http.createServer(createYoga({ schema, logging: false }));
  },
  conversation: (c) => queries(c, { invalid: 200, variables: 400, noBody: 200 }),
};

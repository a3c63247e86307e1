'use strict';

const http = require('node:http');
const { BOOKS, queries, resolvers, typeDefs } = require('../graphql');

module.exports = {
  packages: ['@apollo/server', '@as-integrations/express5', 'graphql', 'express5'],
  measured: BOOKS,
  async server(t) {
    const { ApolloServer } = require('@apollo/server');
    const { ApolloServerPluginDrainHttpServer } = require('@apollo/server/plugin/drainHttpServer');
    const { expressMiddleware } = require('@as-integrations/express5');
    const express = require('express5');
    const app = express();
    const httpServer = http.createServer(app);
    const apollo = new ApolloServer({
      typeDefs,
      resolvers: resolvers(t),
      plugins: [ApolloServerPluginDrainHttpServer({ httpServer })],
      stopOnTerminationSignals: false,
    });
    await apollo.start();
    app.use('/graphql', express.json(), expressMiddleware(apollo));
    return { servers: [httpServer], close: () => apollo.stop() };
  },
  conversation: (c) => queries(c),
};

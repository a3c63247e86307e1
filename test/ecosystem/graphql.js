'use strict';
// The schema and the conversation of the servers for GraphQL.

const { JSON_TYPE } = require('./typical');

const typeDefs = `
  type Book { title: String! author(full: Boolean): String }
  type Query { books: [Book!]! book(id: ID!): Book fails: String }
  type Mutation { add(title: String!): Book }
`;

const books = [
  { title: 'Emma', author: 'Austen' },
  { title: 'Dracula', author: 'Stoker' },
];

/** @param {import('./child/toolbox').Toolbox} t */
const resolvers = (t) => ({
  Query: {
    books: () => books,
    book(_parent, { id }) {
      t.log('resolver', id);
      return books[id] ?? null;
    },
    fails() {
      throw new Error('thrown by a resolver');
    },
  },
  Mutation: { add: (_parent, { title }) => ({ title }) },
  Book: { author: ({ author }, { full }) => (full ? `${author}, in full` : author) },
});

/** A query by GET. */
const BOOKS = {
  target: `/graphql?query=${encodeURIComponent('{books{title}}')}`,
  headers: { Accept: 'application/json', 'Apollo-Require-Preflight': 'yes' },
};

/** @param {import('./conversation').Conversation} c @param {object} [expected] statuses that differ */
async function queries(c, expected = {}) {
  const status = { invalid: 400, get: 200, missing: 404, noBody: 400, badJson: 400, ...expected };
  const kept = await c.connect();
  const query = (text, variables, code = 200) =>
    kept.ask('POST', '/graphql', code, {
      headers: { ...JSON_TYPE, Accept: 'application/json' },
      body: JSON.stringify({ query: text, variables }),
    });
  await query('{ books { title author } }');
  await query('query ($id: ID!) { book(id: $id) { title author(full: true) } }', { id: '1' });
  await query('mutation { add(title: "Ulysses") { title author } }');
  await query('{ books { title } fails }');
  await query('{ books { pages } }', undefined, status.invalid);
  await query('{ books {', undefined, status.invalid);
  await query(
    'query ($id: ID!) { book(id: $id) { title } }',
    {},
    status.variables ?? status.invalid,
  );
  const { target, headers: json } = BOOKS;
  await kept.get(target, status.get, json);
  await kept.ask('POST', '/graphql', status.badJson, { headers: JSON_TYPE, body: '{"query"' });
  await kept.ask('POST', '/graphql', status.noBody, { headers: JSON_TYPE, body: '{}' });
  await kept.get('/missing', status.missing);
  const body = JSON.stringify({ query: '{ book(id: 0) { title } }' });
  await kept.pipeline(
    ['POST', '/graphql', 200, { headers: { ...JSON_TYPE, ...json }, body }],
    ['POST', '/graphql', 200, { headers: { ...JSON_TYPE, ...json }, body }],
  );
  const closing = await c.connect();
  await closing.get(target, status.get, { ...json, Connection: 'close' });
}

module.exports = { BOOKS, typeDefs, resolvers, queries };

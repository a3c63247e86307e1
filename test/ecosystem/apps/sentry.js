'use strict';
// Preloaded by a case: reports errors and requests as the users of Sentry do.

const Sentry = require('@sentry/node');

/** What was reported, in words. */
const reports = [];

Sentry.init({
  dsn: 'http://key@127.0.0.1:1/1',
  tracesSampleRate: 1,
  sendDefaultPii: true,
  traceLifecycle: 'static',
  // Nothing leaves the process.
  transport: () => ({ send: async () => ({}), flush: async () => true }),
  beforeSend(event) {
    const { method, url, data } = event.request ?? {};
    reports.push([
      'event',
      event.exception?.values?.map(({ value }) => value),
      { method, url, data },
    ]);
    return event;
  },
  beforeSendTransaction(event) {
    const { op, status } = event.contexts?.trace ?? {};
    reports.push(['transaction', event.transaction, op, status, event.request?.data ?? null]);
    return event;
  },
});

module.exports = { reports };

'use strict';
// Preloaded by a case: traces requests as the users of Elastic APM do.

/** What was reported, in words. */
const reports = [];

const apm = require('elastic-apm-node').start({
  serviceName: 'site',
  // Nobody listens there: what is told is told by the filter below.
  serverUrl: 'http://127.0.0.1:1',
  captureBody: 'all',
  centralConfig: false,
  cloudProvider: 'none',
  metricsInterval: '0s',
  logLevel: 'off',
  // Nothing leaves the process.
  transport: () => ({
    config() {},
    addMetadataFilter() {},
    setExtraMetadata() {},
    lambdaStart() {},
    sendSpan() {},
    sendMetricSet() {},
    sendError(error, done) {
      reports.push(['error', error.exception?.message, error.context?.request?.url?.pathname]);
      done?.();
    },
    sendTransaction({ name, result, outcome, context }, done) {
      const { request, response } = context;
      const { method, http_version: version, body } = request;
      reports.push([
        'transaction',
        name,
        result,
        outcome,
        method,
        version,
        body,
        response.status_code,
      ]);
      done?.();
    },
    flush(...args) {
      args.at(-1)?.();
    },
    supportsKeepingUnsampledTransaction: () => true,
    supportsActivationMethodField: () => true,
    destroy() {},
  }),
});

module.exports = { apm, reports };

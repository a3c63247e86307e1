'use strict';
// Preloaded by a case: traces node:http as its users do, before the program loads it.

const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { NodeTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-node');

/** Set by the server of the case. */
const sink = { log: () => {} };

/** What is the same in each run. */
const STABLE = ['http.request.method', 'url.path', 'http.response.status_code', 'error.type'];

const exporter = {
  export(spans, done) {
    for (const { name, kind, status, attributes, parentSpanContext, events } of spans) {
      const told = STABLE.map((key) => attributes[key]);
      const trace = parentSpanContext?.traceId ?? null;
      sink.log('span', name, kind, status, told, { trace, events: events.length });
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};

const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerInstrumentations({
  tracerProvider: provider,
  instrumentations: [
    new HttpInstrumentation({
      requestHook: (span, message) => sink.log('requestHook', message.constructor.name),
      responseHook: (span, message) => sink.log('responseHook', message.constructor.name),
    }),
  ],
});

module.exports = { sink };

// What index.d.ts must accept, and after each @ts-expect-error what it must refuse.
// Compiled, never run.

import http = require('node:http');
import onewrite = require('onewrite');
import register = require('onewrite/register');

import type {
  EngineHandBackReason,
  HandBackReason,
  InstallOptions,
  InstallReport,
  MessageOptions,
  PartReport,
  Stats,
  TeardownHandBackReason,
} from 'onewrite';

/** Compiles only if both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

same<keyof typeof onewrite, 'install' | 'uninstall' | 'stats' | 'buildHttpMessage'>(true);
same<keyof typeof register, never>(true);

const report = onewrite.install();
same<typeof report, InstallReport>(true);
same<typeof report.parts.responses, PartReport>(true);
same<typeof report.parts.responses.on, boolean>(true);
same<typeof report.parts.responses.reason, string | null>(true);
same<keyof typeof report.parts, 'responses' | 'teardown' | 'engine'>(true);
same<keyof InstallOptions, keyof InstallReport['parts']>(true);
same<keyof Stats, keyof InstallReport['parts']>(true);
onewrite.install({});
onewrite.install({ responses: true, teardown: false, engine: true });
onewrite.install({ responses: false });
// @ts-expect-error a part is on or off
onewrite.install({ responses: 'on' });
// @ts-expect-error an unknown part would be ignored silently
onewrite.install({ respones: true });
// @ts-expect-error the parts are named
onewrite.install(true);

same<ReturnType<typeof onewrite.uninstall>, void>(true);
// @ts-expect-error all parts are uninstalled together
onewrite.uninstall({ responses: true });

const stats = onewrite.stats();
same<typeof stats, Stats>(true);
same<typeof stats.responses.fast, number>(true);
same<typeof stats.responses.handedBack.trailers, number | undefined>(true);
same<keyof typeof stats.responses.handedBack, HandBackReason>(true);
same<typeof stats.teardown.fast, number>(true);
same<keyof typeof stats.teardown.handedBack, TeardownHandBackReason>(true);
same<typeof stats.engine.fast, number>(true);
same<keyof typeof stats.engine.handedBack, EngineHandBackReason>(true);
// @ts-expect-error no such reason
stats.responses.handedBack.mood;
// @ts-expect-error a reason that did not occur is absent
const _count: number = stats.responses.handedBack.large;

const message = onewrite.buildHttpMessage(200, ['Content-Type', 'text/plain', 'Age', 3], 'body');
same<typeof message, Buffer>(true);
onewrite.buildHttpMessage(204, []);
onewrite.buildHttpMessage(200, ['A', 'b'] as const, new Uint8Array(2));
onewrite.buildHttpMessage(200, [], Buffer.from('body'));
onewrite.buildHttpMessage(200, [], undefined, { omitBody: true });
const options: MessageOptions = {
  statusMessage: 'Fine',
  date: false,
  keepAlive: 5,
  maxRequests: 100,
  omitBody: false,
  encoding: 'latin1',
};
onewrite.buildHttpMessage(200, [], 'body', options);
onewrite.buildHttpMessage(200, [], 'body', { keepAlive: false });
// @ts-expect-error a status line needs a status
onewrite.buildHttpMessage();
// @ts-expect-error a status is a number
onewrite.buildHttpMessage('200', []);
// @ts-expect-error headers are a flat array
onewrite.buildHttpMessage(200, { 'Content-Type': 'text/plain' });
// @ts-expect-error headers are no array of pairs
onewrite.buildHttpMessage(200, [['Content-Type', 'text/plain']]);
// @ts-expect-error a value is a string or a number
onewrite.buildHttpMessage(200, ['A', true]);
// @ts-expect-error a body is a string or bytes
onewrite.buildHttpMessage(200, [], 42);
// @ts-expect-error a body is one value, not a stream
onewrite.buildHttpMessage(200, [], new http.IncomingMessage(null as never));
// @ts-expect-error the encodings are two
onewrite.buildHttpMessage(200, [], 'body', { encoding: 'base64' });
// @ts-expect-error keepAlive is a count of seconds or false
onewrite.buildHttpMessage(200, [], 'body', { keepAlive: true });
// @ts-expect-error a misspelt option would be ignored silently
onewrite.buildHttpMessage(200, [], 'body', { statusText: 'Fine' });

const chosen: InstallOptions = { responses: true };
onewrite.install(chosen);
// @ts-expect-error there is no default export
onewrite.default;

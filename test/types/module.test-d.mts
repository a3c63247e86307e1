// The same face from an ES module. Compiled, never run.

import 'onewrite/register';
import * as everything from 'onewrite';
import { buildHttpMessage, install, stats, uninstall } from 'onewrite';
// @ts-expect-error inner files are not part of the face
import 'onewrite/lib/stats';

const on: boolean = install({ responses: true }).parts.responses.on;
const fast: number = stats().responses.fast;
const bytes: Uint8Array = buildHttpMessage(200, ['A', 'b'], 'body');
uninstall();
everything.install();
// @ts-expect-error no such name
everything.build;

export { bytes, fast, on };

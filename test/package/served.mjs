import { createRequire } from 'node:module';
import { buildHttpMessage, install, stats, uninstall } from 'onewrite';
import exchange from './exchange.js';

const answer = await exchange();
const required = createRequire(import.meta.url)('onewrite');
const imported = { install, uninstall, stats, buildHttpMessage };
const same = Object.keys(imported).filter((name) => imported[name] === required[name]);
console.log(JSON.stringify({ answer, stats: stats(), same, names: Object.keys(required) }));

import { buildHttpMessage, install, stats, uninstall } from 'onewrite';
import exchange from './exchange.js';

const answer = await exchange();
const types = [install, uninstall, stats, buildHttpMessage].map((value) => typeof value);
console.log(JSON.stringify({ answer, stats: stats(), types }));

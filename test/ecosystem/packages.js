'use strict';
// The packages of the cases.

const { need } = require('../../scripts/package-folder');
const { CannotRun } = require('../node-core/cannot-run');

/** Installs what the cases need of a folder. */
function installIn(folder, cases) {
  const its = cases.filter((item) => item.folder === folder);
  const names = new Set(its.flatMap((item) => item.packages));
  // Scripts of packages would fetch or build what no case uses.
  const few = its.every((item) => item.smoke) ? ['--omit=dev'] : [];
  need(folder, [...names], ['--ignore-scripts', ...few]);
}

/** Installs what the cases need, and prepares them. @param {import('./cases').Case[]} cases */
function install(cases) {
  try {
    for (const folder of new Set(cases.map((item) => item.folder))) installIn(folder, cases);
    for (const item of cases) item.prepare?.();
  } catch (error) {
    throw new CannotRun(`the packages cannot be had: ${error.message}`);
  }
}

module.exports = { install };

'use strict';

// Completes the platform packages of a release: puts the licences beside each addon.
//
//   napi create-npm-dirs && napi artifacts && node scripts/platform-packages.js [ARTIFACTS] [NPM]
//
// ARTIFACTS holds a file THIRD_PARTY_LICENSES.<platform> for every platform, at any depth, each
// made on the machine that built the addon. npm adds LICENSE by itself, but no other notice.

const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const notice = 'THIRD_PARTY_LICENSES';

function find(folder, name) {
  const found = fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => path.basename(file) === name);
  if (found.length !== 1) throw new Error(`${found.length} files ${name} in ${folder}, not one`);
  return path.join(folder, found[0]);
}

function complete(folder, licences) {
  const manifestFile = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
  if (!fs.existsSync(path.join(folder, manifest.main))) {
    throw new Error(`${folder} has no ${manifest.main}`);
  }
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  fs.copyFileSync(licences, path.join(folder, notice));
  manifest.files = [manifest.main, notice];
  fs.writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
}

function main([artifacts = 'artifacts', npm = 'npm']) {
  const platforms = fs.readdirSync(npm);
  const { targets } = require('../package.json').napi;
  if (platforms.length !== targets.length) {
    throw new Error(`${platforms.length} folders in ${npm} for ${targets.length} targets`);
  }
  for (const platform of platforms) {
    complete(path.join(npm, platform), find(artifacts, `${notice}.${platform}`));
    console.log(`${npm}/${platform}: complete`);
  }
}

main(process.argv.slice(2));

#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: a Node too old for the program must still get as far as saying so.
'use strict';

const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const HOME = path.dirname(__dirname);
const SQLITE_NEEDED = [3, 51, 3];
const NODE = process.platform === 'win32' ? 'node.exe' : 'node';
// A Node that npm installs without running a script: npm 12 blocks those.
const NODE_PACKAGE = [
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node',
  process.platform === 'win32' ? 'win' : process.platform,
  process.arch,
].join('-');

/** Whether this SQLite is free of the WAL fault that corrupts a file shared by several processes. */
function isSound(version) {
  const parts = String(version || '0').split('.');
  const at = SQLITE_NEEDED.findIndex((needed, i) => Number(parts[i] || 0) !== needed);
  return at === -1 || Number(parts[at] || 0) > SQLITE_NEEDED[at];
}

const isFile = (file) => fs.existsSync(file) && fs.statSync(file).isFile();

function runsSoundly(node) {
  if (!isFile(node)) return false;
  const asked = spawnSync(node, ['-p', 'process.versions.sqlite'], { encoding: 'utf8', timeout: 10000 });
  return asked.status === 0 && isSound(asked.stdout.trim());
}

/** A Node installed as a package here or above, or else one on the PATH. */
function findNode() {
  const candidates = [];
  for (let dir = __dirname; dir !== path.dirname(dir); dir = path.dirname(dir)) {
    for (const name of ['node', NODE_PACKAGE]) candidates.push(path.join(dir, 'node_modules', name, 'bin', NODE));
  }
  const onPath = (process.env.PATH || '').split(path.delimiter).filter(Boolean);
  candidates.push(...onPath.map((dir) => path.join(dir, NODE)));
  return candidates.find((node) => node !== process.execPath && runsSoundly(node));
}

/** The newest change below a folder; the folder's own time tells of removed files. */
function newestIn(dir) {
  const times = fs.readdirSync(dir, { withFileTypes: true }).map((entry) => {
    const file = path.join(dir, entry.name);
    return entry.isDirectory() ? newestIn(file) : fs.statSync(file).mtimeMs;
  });
  return Math.max(fs.statSync(dir).mtimeMs, ...times);
}

/** The bundle; in a checkout only while it is newer than its source. */
function findProgram() {
  const bundle = path.join(HOME, 'dist', 'main.js');
  const source = path.join(HOME, 'src', 'main.ts');
  if (!isFile(source)) return bundle;
  if (!isFile(bundle)) return source;
  return fs.statSync(bundle).mtimeMs > newestIn(path.join(HOME, 'src')) ? bundle : source;
}

function runHere() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, kind, ...rest) => {
    const name = kind && typeof kind === 'object' ? kind.type : kind;
    if (name === 'ExperimentalWarning' && /sqlite|type stripping/i.test(String(warning))) return;
    emitWarning.call(process, warning, kind, ...rest);
  };
  void import(pathToFileURL(findProgram()).href);
}

function runOn(node) {
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));

  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function start() {
  if (isSound(process.versions.sqlite)) return runHere();
  const node = findNode();
  if (node) return runOn(node);
  process.stderr.write(
    `errand: needs Node.js 22.23, 24.21 or later (for SQLite ${SQLITE_NEEDED.join('.')}); this is ${process.version}. ` +
      `Install one beside it: npm install ${NODE_PACKAGE}@24\n`,
  );
  process.exitCode = 2;
}

start();

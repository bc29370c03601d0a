// Sets the checkout up and runs one task on the pinned Node. Plain JavaScript: it runs on whatever Node the machine has.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const lean = require('./lean-install.cjs');

const ROOT = path.dirname(__dirname);
const MODULES = path.join(ROOT, 'node_modules');
const NODE = path.join(MODULES, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const SERVER = path.join('packages', 'server');
const BIOME = path.join('node_modules', '@biomejs', 'biome', 'bin', 'biome');

const TASKS = {
  start: (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join(SERVER, 'bin', 'errand.cjs'), 'serve', ...args],
  ],
  dev: (args) => [['--watch', path.join(SERVER, 'src', 'main.ts'), 'serve', ...args]],
  test: (args) => [[path.join('scripts', 'test.ts'), ...args]],
  'test:long': (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join('test', 'long', 'run.ts'), ...args],
  ],
  'test:web': (args) => [[path.join('scripts', 'test.ts'), '--project', 'web-long', ...args]],
  'test:agents': (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join('test', 'agents', 'run.ts'), ...args],
  ],
  check: () => [[path.join('scripts', 'test.ts'), '--quick']],
  generate: (args) => [[path.join('scripts', 'generate.ts'), ...args]],
  lockfile: () => [[path.join('scripts', 'lockfile.ts')]],
  build: () => [[path.join('scripts', 'build.ts')], [path.join('scripts', 'build-libraries.ts')]],
  bench: (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join('scripts', 'bench.ts'), ...args],
  ],
  'bench:web': (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join('scripts', 'bench-web.ts'), ...args],
  ],
  shots: (args) => [
    [path.join('scripts', 'build.ts'), '--if-stale'],
    [path.join('scripts', 'shots.ts'), ...args],
  ],
  conformance: (args) => [[path.join('scripts', 'conformance.ts'), ...args]],
  format: () => [[BIOME, 'check', '--write', '.']],
};

/** What runs without the packages that only tests, checks and benchmarks need. */
const LEAN = new Set(['start', 'dev']);
const PROGRESS_MS = { terminal: 250, plain: 5_000 };

const say = (text) => process.stderr.write(`${text}\n`);

function fail(text) {
  say(text);
  process.exit(1);
}

const packagesOf = (file) => JSON.parse(fs.readFileSync(file, 'utf8')).packages;

/** Compared by content: npm writes the two files at about the same time, so their order tells nothing. */
function isInstalled(isLean) {
  const installedFile = path.join(MODULES, '.package-lock.json');
  if (!fs.existsSync(installedFile)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(path.join(ROOT, 'package-lock.json'))).every(([name, wanted]) => {
    if (!name.includes('node_modules/')) return true;
    const found = installed[name];
    if (!found && isLean && (wanted.dev === true || wanted.devOptional === true)) return true;
    if (!found) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

const failed = (command, args, said) => fail(`${command} ${args.join(' ')} failed:\n${said}`);

function progressOf(folders) {
  const unpacked = folders.filter((folder) => fs.existsSync(path.join(folder, 'package.json'))).length;
  if (folders.length === 0) return '';
  // The package of Node downloads Node at the end, which no folder here shows.
  const isNodeNext = unpacked === folders.length && !fs.existsSync(NODE);
  return `, ${unpacked} of ${folders.length} unpacked${isNodeNext ? ', now Node itself' : ''}`;
}

/** Says again and again that work goes on: one line that changes on a terminal, a line now and then elsewhere. */
function showProgress(title) {
  const started = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const show = () => {
    const text = `${title} ${Math.round((Date.now() - started) / 1000)} s${progressOf(lean.packageFolders(MODULES))}`;
    process.stderr.write(isTerminal ? `\r\x1b[2K${text}` : `${text}\n`);
  };
  const timer = setInterval(show, isTerminal ? PROGRESS_MS.terminal : PROGRESS_MS.plain);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write('\r\x1b[2K');
  };
}

/** Runs to its end with signs of life, showing what it said only when it failed. */
function runQuietly(command, args, cwd) {
  const stop = showProgress('Installing packages…');
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.on('error', (error) => failed(command, args, error));
    child.on('close', (code) => {
      stop();
      if (code === 0) resolve();
      else failed(command, args, said);
    });
  });
}

function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // Not this process's own Node: that may lie in the folder which npm is about to replace.
  if (npm && node) return runQuietly(node, [npm, ...args], ROOT);
  return runQuietly(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, ROOT);
}

async function setUp(task) {
  const started = Date.now();
  const hasLock = fs.existsSync(path.join(ROOT, 'package-lock.json'));
  // Where the packages of tests are, they stay: npm would remove them.
  const isLean = LEAN.has(task) && !fs.existsSync(path.join(MODULES, 'vitest'));
  const lacksFiles = !LEAN.has(task) && lean.isLean(MODULES);
  const isCurrent = !lacksFiles && (hasLock ? isInstalled(isLean) : fs.existsSync(MODULES));
  if (isCurrent && fs.existsSync(NODE)) return;

  say(`Setting up: installing ${isLean ? 'what the server needs' : 'packages'} (once; about a minute)…`);
  // `npm ci` first removes the packages that are there, and a running server may be using them.
  const isFresh = hasLock && !fs.existsSync(MODULES);
  const install = isFresh ? ['ci'] : ['install', ...(hasLock ? ['--no-save'] : [])];
  if (lacksFiles) lean.removeLeanPackages(MODULES);
  if (!isCurrent) await runNpm([...install, ...(isLean ? ['--omit=dev'] : [])]);
  if (!fs.existsSync(NODE)) {
    const folder = path.join(MODULES, 'node');
    await runQuietly(process.execPath, [path.join(folder, 'installArchSpecificPackage.js')], folder);
  }
  lean.removeHeaders(MODULES);
  if (isLean) lean.makeLean(MODULES);
  say(`Set up in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
}

/** Resolves with what to exit with: a code, or the signal that ended it. */
function runOnNode(args) {
  const onPath = [path.dirname(NODE), process.env.PATH].join(path.delimiter);
  // Packages of this repository run as they are written, not as they are built.
  const options = [process.env.NODE_OPTIONS, '--conditions=errand-source'].filter(Boolean).join(' ');
  const env = { ...process.env, PATH: onPath, NODE_OPTIONS: options };
  // The server ends when this channel closes: by a signal that cannot be passed on, too.
  const isServer = path.basename(args[0]) === 'errand.cjs';
  const child = spawn(NODE, args, {
    cwd: ROOT,
    stdio: isServer ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: isServer ? { ...env, ERRAND_LAUNCHED: '1' } : env,
  });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  // A signal to npm ends npm and its shell without reaching us: that our parent is another one now is all we see of it.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250);

  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(signal || code);
    });
  });
}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : fail(`Say what to run: ${Object.keys(TASKS).join(', ')}.`);
  await setUp(name);
  for (const step of task(args)) {
    const end = await runOnNode(step);
    if (typeof end === 'string') process.kill(process.pid, end);
    if (end !== 0) process.exit(end);
  }
}

void main();

#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: a Node too old for the program must still get as far as saying so.
'use strict';

// Only what every start needs: an MCP client waits for its tools.
const fs = require('fs');
const module_ = require('module');
const path = require('path');
const { pathToFileURL } = require('url');

const HOME = path.dirname(__dirname);
const SQLITE_NEEDED = [3, 51, 3];
/** The first of each line that has this SQLite. */
const NODES_NEEDED = [
  [22, 23],
  [24, 21],
];
/** Tells the program that its launcher answered the first requests of an MCP client. */
const ANSWERED = 'answered';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
/** A client whose bytes are all read is silent for this long. */
const QUIET_MS = 20;
const BUILD = 'npm run build makes a new one.';
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

/** A Node that was installed as a package has its version beside it: asking costs as long as starting it. */
function isSoundPackage(folder) {
  try {
    const [major, minor] = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version.split('.');
    return (
      Number(major) > 24 || NODES_NEEDED.some((needed) => Number(major) === needed[0] && Number(minor) >= needed[1])
    );
  } catch (_) {
    return false;
  }
}

function mayRun(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return isFile(file);
  } catch (_) {
    return false;
  }
}

function runsSoundly(node) {
  if (!mayRun(node)) return false;
  if (isSoundPackage(path.dirname(path.dirname(node)))) return true;
  const asked = require('child_process').spawnSync(node, ['-p', 'process.versions.sqlite'], {
    encoding: 'utf8',
    timeout: 10000,
  });
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

/** The newest change below a folder; its own time tells of added and removed files. */
function newestIn(dir, foldersOnly) {
  let newest = fs.statSync(dir).mtimeMs;
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestIn(file, foldersOnly));
    else if (!foldersOnly) newest = Math.max(newest, fs.statSync(file).mtimeMs);
  }
  return newest;
}

const say = (text) => process.stderr.write(`errand: ${text}\n`);

const BUNDLE = path.join(HOME, 'dist', 'main.js');
const SOURCE = path.join(HOME, 'src');
const isMcp = process.argv[2] === 'mcp';

const isCheckout = () => isFile(path.join(SOURCE, 'main.ts'));

/** Whether the bundle is newer than this folder of a checkout's source; always true where there is no source. */
function isNewerThan(folder) {
  if (!isCheckout()) return true;
  // An MCP client waits for its tools, and the times of all files take longer than the answer.
  return isFile(BUNDLE) && fs.statSync(BUNDLE).mtimeMs > newestIn(folder, isMcp);
}

/** The bundle; in a checkout the source, when that is newer. */
function findProgram() {
  if (isNewerThan(SOURCE)) {
    if (isMcp && isCheckout()) setTimeout(warnOfNewerSource, 2000).unref();
    return BUNDLE;
  }
  say(
    `runs from source, which starts slowly: ${isFile(BUNDLE) ? 'the build is older' : 'there is no build'}. ${BUILD}`,
  );
  return path.join(SOURCE, 'main.ts');
}

function warnOfNewerSource() {
  if (fs.statSync(BUNDLE).mtimeMs <= newestIn(SOURCE)) say(`the source is newer than this build. ${BUILD}`);
}

/** Code that others can write would be run as ours. */
function isOurs(folder) {
  const { uid, mode } = fs.lstatSync(folder);
  return !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Where compiled code is kept: beside the program, or in the cache of a person who cannot write there. */
function cacheFolder() {
  const besides = path.join(HOME, '.cache');
  const own = path.join(process.env.XDG_CACHE_HOME || path.join(require('os').homedir(), '.cache'), 'errand');
  return [besides, own].find((folder) => {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      return isOurs(folder);
    } catch (_) {
      return false;
    }
  });
}

/** Compiles the program once, not at every start. A process that is killed writes nothing at its end, so write before. */
function keepCompiled() {
  const folder = module_.enableCompileCache ? cacheFolder() : undefined;
  if (folder === undefined) return;
  module_.enableCompileCache(folder);
  setTimeout(() => module_.flushCompileCache(), 5000).unref();
}

/** Ends the program when the process that started it is gone, also by a signal that it could not pass on: its channel closes. */
function endWithLauncher() {
  const launched = process.env.ERRAND_LAUNCHED;
  // For us alone: the program knows no such setting.
  delete process.env.ERRAND_LAUNCHED;
  if (!launched || !process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (launched === ANSWERED) globalThis[Symbol.for('errand.handover')] = receiveHandover();
  else process.channel.unref();
}

/** What the launcher has answered. Until it says so, the channel keeps this process alive. */
function receiveHandover() {
  return new Promise((resolve) =>
    process.once('message', (handover) => {
      process.channel.unref();
      resolve(handover);
    }),
  );
}

/** Lets the source import the other packages of the checkout as they are written: they may have no build. */
function preferSources() {
  if (!module_.registerHooks) return;
  module_.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, Object.assign({}, context, { conditions: ['errand-source'].concat(context.conditions) })),
  });
}

function runHere() {
  endWithLauncher();
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, kind, ...rest) => {
    const name = kind && typeof kind === 'object' ? kind.type : kind;
    if (name === 'ExperimentalWarning' && /sqlite|type stripping/i.test(String(warning))) return;
    emitWarning.call(process, warning, kind, ...rest);
  };
  const program = findProgram();
  if (program.endsWith('.ts')) preferSources();
  keepCompiled();
  void import(pathToFileURL(program).href);
}

/** Answers the first requests of an MCP client here: the Node that runs the program takes as long again to start. */
async function answerFirst() {
  if (!isMcp) return null;
  const dist = path.dirname(BUNDLE);
  try {
    // The names of the tools are all that matters here: the program itself looks at the whole source.
    if (!isNewerThan(path.join(SOURCE, 'tools'))) return null;
    const { answerFirst } = require(path.join(dist, 'early.cjs'));
    return await answerFirst({ words: process.argv.slice(2), env: process.env, built: path.join(dist, 'early') });
  } catch (_) {
    // An older Node than that file can be read with, or an older build without it: the program answers.
    return null;
  }
}

/** Signals, held back until there is a process to pass them on to. */
function holdSignals() {
  const held = [];
  let pass = (signal) => held.push(signal);
  for (const signal of SIGNALS) process.on(signal, () => pass(signal));
  return (to) => {
    pass = to;
    for (const signal of held.splice(0)) pass(signal);
  };
}

async function runOn(node) {
  const passSignals = holdSignals();
  const answered = await answerFirst();
  const child = require('child_process').spawn(node, [__filename, ...process.argv.slice(2)], {
    stdio: [answered ? 'pipe' : 'inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { ERRAND_LAUNCHED: answered ? ANSWERED : '1' }),
  });
  if (answered) {
    const endInput = handOver(child, answered);
    // Before it listens, a signal would end it without an answer to what the client sent.
    child.once('message', () => passSignals((signal) => endInput(() => child.kill(signal))));
  } else passSignals((signal) => child.kill(signal));

  child.on('error', (error) => {
    say(`cannot start ${node}: ${error.message}`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/** Passes the input on from its first byte, with the results that the client already has. Returns the function that ends it. */
function handOver(child, { input, results }) {
  // A child that ended has closed its ends; its exit code says why.
  child.send({ results }, () => undefined);
  child.stdin.on('error', () => undefined);
  for (const name of ['close', 'error']) input.once(name, () => child.stdin.end());
  input.pipe(child.stdin);
  return (passSignal) => endAfterSent(input, child.stdin, passSignal);
}

/** Ends the program's input after the bytes that the client has already sent, and tells when the first of them are passed on. */
function endAfterSent(input, output, onRead) {
  let isQuiet = true;
  input.on('data', () => {
    isQuiet = false;
  });
  function look() {
    // An input that is paused waits for the program to read.
    if (isQuiet && !input.isPaused()) {
      input.unpipe(output);
      return void output.end();
    }
    isQuiet = true;
    setTimeout(look, QUIET_MS);
  }
  // Two turns: bytes that arrived with the signal are read in the next one.
  setImmediate(() => setImmediate(onRead));
  setTimeout(() => setImmediate(look), QUIET_MS);
}

function start() {
  if (isSound(process.versions.sqlite)) return runHere();
  const node = findNode();
  if (node) return void runOn(node);
  process.stderr.write(
    `errand: needs Node.js 22.23, 24.21 or later (for SQLite ${SQLITE_NEEDED.join('.')}); this is ${process.version}. ` +
      `Install one beside it: npm install ${NODE_PACKAGE}@24\n`,
  );
  process.exitCode = 2;
}

start();

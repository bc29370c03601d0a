import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { recordEarlyAnswers } from '../packages/server/src/compose-early.ts';
import { createLog } from '../packages/server/src/observability/log.ts';
import { type EarlyIndex, INDEX } from '../packages/server/src/transports/cli/early-files.ts';
import { buildViews } from './build-views.ts';
import { buildWeb } from './build-web.ts';

const ROOT = dirname(import.meta.dirname);
const SERVER = join(ROOT, 'packages/server');
const DIST = join(SERVER, 'dist');
// Build in another folder and move it at the end: a program that starts during the build finds the old bundle.
const NEXT = join(ROOT, 'node_modules/.cache/errand-dist');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const newest = (files: readonly string[]): number => Math.max(0, ...files.map((file) => statSync(file).mtimeMs));

/** True when the bundle is older than its sources. Times of folders reveal removed files. */
function isStale(): boolean {
  const bundle = join(DIST, 'main.js');
  if (!existsSync(bundle)) return true;
  const sources = [
    ...globSync('packages/{server,mcp,tasks,web}/src/**', { cwd: ROOT }),
    ...globSync('packages/web/*.{html,ts,json}', { cwd: ROOT }),
    ...globSync('docs/{guide,reference,images}/*.{md,webp}', { cwd: ROOT }),
    'docs/swagger.yaml',
    'packages/server/package.json',
    'package-lock.json',
    relative(ROOT, import.meta.filename),
  ];
  return newest(sources.map((file) => join(ROOT, file))) >= statSync(bundle).mtimeMs;
}

/** Returns the package folder of a bundled module; null for our own modules. */
function packageOf(module: string): string | null {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replace(/^\0/, '')) ?? [];
  return folder ?? null;
}

function licenceOf(folder: string): string {
  // The cast: npm's file always has a name and a version.
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: folder });
  const text =
    file === undefined ? `Licensed under ${license ?? 'unknown terms'}.` : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`;
}

/**
 * Modules that most commands never use, by their import statement. Each is loaded at its first use instead, and then
 * kept: a `require` for each digest would be a hundredth of the CPU time of a write.
 */
const DEFERRED: ReadonlyMap<string, string> = new Map([
  [
    "import { hash } from 'node:crypto';",
    "let loadedHash; const hash = (...given) => (loadedHash ??= require('node:crypto').hash)(...given);",
  ],
  [
    "import clean from 'sanitize-html';",
    "let loadedClean; const clean = (...given) => (loadedClean ??= require('sanitize-html'))(...given);",
  ],
  [
    "import { type Logger, pino } from 'pino';",
    "const pino = Object.defineProperties((...given) => require('pino').pino(...given), { stdTimeFunctions: { get: () => require('pino').stdTimeFunctions }, stdSerializers: { get: () => require('pino').stdSerializers } });",
  ],
]);

/** Loads packages lazily. Only a bundle can do that: a module that runs from source has no `require`. */
const deferPackages: Plugin = {
  name: 'defer-packages',
  transform: {
    order: 'pre',
    filter: { id: /packages\/server\/src\// },
    handler: (code) => {
      const found = [...DEFERRED.keys()].find((statement) => code.includes(statement));
      return found === undefined ? null : code.replace(found, DEFERRED.get(found) ?? '');
    },
  },
};

/** Modules of Node whose import reads every export, and so loads what nobody asked for: WebSocket and fetch, the crypto of browsers. */
const EAGER = /^import (?:(\w+), )?(?:\{ ([^}]*) \}|(\w+)) from "(node:(?:http|https|crypto))";$/gm;

/** Gets these modules without an import. That takes a tenth of the time in which a server starts. */
const getEagerModules: Plugin = {
  name: 'get-eager-modules',
  renderChunk: (code) =>
    code.replaceAll(EAGER, (_, before?: string, names?: string, only?: string, module?: string) => {
      const whole = before ?? only;
      const got = `process.getBuiltinModule("${module}")`;
      return [
        ...(whole === undefined ? [] : [`const ${whole} = ${got};`]),
        ...(names === undefined ? [] : [`const { ${names.replaceAll(' as ', ': ')} } = ${got};`]),
      ].join(' ');
    }),
};

interface Bundle {
  readonly input: Readonly<Record<string, string>>;
  readonly format: 'esm' | 'cjs';
}

async function bundle({ input, format }: Bundle): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: SERVER,
    input,
    platform: 'node',
    resolve: { conditionNames: ['errand-source', 'node'] },
    external: ['pg-native'],
    plugins: format === 'esm' ? [deferPackages, getEagerModules] : [deferPackages],
    logLevel: 'warn',
    onLog: (level, log, report) => {
      // An unresolved import would be missing from the published package too.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      report(level, log);
    },
  });
  const { output } = await build.write({
    dir: NEXT,
    format,
    entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: { legal: false, annotation: true, jsdoc: false },
  });
  await build.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/** Writes the early answers of `errand mcp`. Revisions with the same answer share a file. */
async function writeEarlyAnswers(): Promise<void> {
  const into = join(NEXT, 'early');
  const folder = mkdtempSync(join(tmpdir(), 'errand-build-'));
  // The cast: our own file has a version.
  const { version } = JSON.parse(readFileSync(join(SERVER, 'package.json'), 'utf8')) as Manifest;
  try {
    mkdirSync(into);
    const recorded = await recordEarlyAnswers({ folder, version, log: createLog({ level: 'error', fd: 2 }) });
    const fileOf = (result: string): string => {
      const name = `${hash('sha256', result).slice(0, 16)}.json`;
      writeFileSync(join(into, name), result);
      return name;
    };
    const index: EarlyIndex = Object.fromEntries(
      Object.entries(recorded).map(([profile, answers]) => [
        profile,
        Object.fromEntries(Object.entries(answers).map(([key, result]) => [key, fileOf(result)])),
      ]),
    );
    writeFileSync(join(into, INDEX), JSON.stringify(index));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  if (process.argv.includes('--if-stale') && !isStale()) return;

  rmSync(NEXT, { recursive: true, force: true });
  const modules = await bundle({ input: { main: 'src/main.ts' }, format: 'esm' });
  // The launcher loads it in a Node that is too old for modules of the program.
  await bundle({ input: { early: 'src/transports/cli/early-mcp.ts' }, format: 'cjs' });
  const pages = [...(await buildWeb(join(NEXT, 'web'))), ...(await buildViews(join(NEXT, 'views')))];
  const packages = [...new Set([...modules, ...pages].map(packageOf))].filter((folder) => folder !== null).toSorted();
  const separator = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync(join(NEXT, 'THIRD-PARTY-LICENSES.txt'), packages.map(licenceOf).join(separator));
  for (const part of ['guide', 'reference', 'images', 'swagger.yaml']) {
    const from = join(ROOT, 'docs', part);
    if (existsSync(from)) cpSync(from, join(NEXT, 'docs', part), { recursive: true });
  }
  await writeEarlyAnswers();
  rmSync(DIST, { recursive: true, force: true });
  renameSync(NEXT, DIST);
  process.stderr.write(
    `Built packages/server/dist from ${modules.length + pages.length} modules, ${packages.length} packages inside.\n`,
  );
}

await main();

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalog } from '../packages/server/src/tools/catalog.ts';
import { openApi } from '../packages/server/src/transports/rest/openapi.ts';
import { cliPage } from './generate/cli-page.ts';
import { compactJson } from './generate/compact-json.ts';
import { configurationPage } from './generate/configuration-page.ts';
import type { ApiDocument } from './generate/document-part.ts';
import { errorsPage } from './generate/errors-page.ts';
import { withFileIndex } from './generate/file-index.ts';
import { clientOf } from './generate/rest-client.ts';
import { surfaceOf } from './generate/surface.ts';
import { swagger } from './generate/swagger.ts';
import { swaggerDifference } from './generate/swagger-difference.ts';
import { toolNames } from './generate/tool-names.ts';
import { toolsPage } from './generate/tools-page.ts';

const ROOT = dirname(import.meta.dirname);
const ARCHITECTURE = 'ARCHITECTURE.md';
const SURFACE = 'packages/server/surface';
const SWAGGER = 'docs/swagger.yaml';
const CLIENTS = 'packages/server/src/clients/generated';
const TOOL_NAMES = 'packages/server/src/tool-names.ts';
const CLIENT = `${CLIENTS}/errand-api.ts`;
const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8')) as { version: string };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const read = (file: string): string | null =>
  existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : null;

// As read from the file: without undefined fields.
const document = JSON.parse(JSON.stringify(openApi(catalog, version))) as ApiDocument;
const fromTools = swagger(catalog, version);

// A person may edit docs/swagger.yaml. It is generated only when it is missing, or with `--swagger`.
const isAskedFor = process.argv.includes('--swagger');
const apiDocument = isAskedFor ? fromTools : (read(SWAGGER) ?? fromTools);

async function everything(): Promise<ReadonlyMap<string, string>> {
  return new Map<string, string>([
    [SWAGGER, apiDocument],
    [TOOL_NAMES, toolNames(catalog)],
    [CLIENT, await clientOf(document, { file: SWAGGER, text: apiDocument })],
    [ARCHITECTURE, withFileIndex(read(ARCHITECTURE) ?? '', ROOT)],
    ['docs/reference/tools.md', toolsPage(catalog)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/cli.md', cliPage(catalog, version)],
    ['docs/reference/openapi.json', compactJson(document)],
    ...catalog.map((tool) => [`${SURFACE}/${tool.profile}.${tool.name}.json`, json(surfaceOf(tool))] as const),
  ]);
}

function surplus(wanted: ReadonlyMap<string, string>): string[] {
  const found = [SURFACE, CLIENTS].flatMap((folder) =>
    existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`) : [],
  );
  return found.filter((file) => !wanted.has(file));
}

/** Reports where docs/swagger.yaml differs from the tools. */
function compareSwagger(): number {
  const difference = swaggerDifference(apiDocument, fromTools);
  if (difference === null) return 0;
  process.stderr.write(
    `${SWAGGER} differs from the tools at ${difference}. Change the tools, or run npm run generate -- --swagger to write the file from them.\n`,
  );
  return 1;
}

function check(wanted: ReadonlyMap<string, string>): number {
  const stale = [...wanted].flatMap(([file, text]) => (read(file) === text ? [] : [file]));
  const wrong = [...stale, ...surplus(wanted)];
  if (wrong.length === 0) return compareSwagger();
  process.stderr.write(`Not up to date; run npm run generate:\n${wrong.map((file) => `  ${file}\n`).join('')}`);
  return 1;
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  if (read(file) !== text) writeFileSync(join(ROOT, file), text);
}

function write(wanted: ReadonlyMap<string, string>): number {
  for (const [file, text] of wanted) writeFile(file, text);
  for (const file of surplus(wanted)) rmSync(join(ROOT, file), { recursive: true });
  return compareSwagger();
}

/** Writes only the client, from the current docs/swagger.yaml. */
async function writeClient(): Promise<number> {
  writeFile(CLIENT, await clientOf(document, { file: SWAGGER, text: read(SWAGGER) }));
  return 0;
}

async function main(): Promise<number> {
  if (process.argv.includes('--client')) return writeClient();
  const wanted = await everything();
  return process.argv.includes('--check') ? check(wanted) : write(wanted);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalog } from '../packages/server/src/tools/catalog.ts';
import { openApi } from '../packages/server/src/transports/rest/openapi.ts';
import { cliPage } from './generate/cli-page.ts';
import { configurationPage } from './generate/configuration-page.ts';
import { errorsPage } from './generate/errors-page.ts';
import { surfaceOf } from './generate/surface.ts';
import { swagger } from './generate/swagger.ts';
import { clientOf, swaggerClient } from './generate/swagger-client.ts';
import { toolsPage } from './generate/tools-page.ts';

const ROOT = dirname(import.meta.dirname);
const SURFACE = 'packages/server/surface';
const SWAGGER = 'docs/swagger.yaml';
const CLIENTS = 'packages/server/src/clients/generated';
const CLIENT = `${CLIENTS}/task-manager-api.ts`;
const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8')) as { version: string };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const apiDocument = swagger(catalog, version);

const wanted = new Map<string, string>([
  [SWAGGER, apiDocument],
  [CLIENT, await swaggerClient(apiDocument)],
  ['docs/reference/tools.md', toolsPage(catalog)],
  ['docs/reference/errors.md', errorsPage()],
  ['docs/reference/configuration.md', configurationPage()],
  ['docs/reference/cli.md', cliPage(catalog, version)],
  ['docs/reference/openapi.json', json(openApi(catalog, version))],
  ...catalog.map((tool) => [`${SURFACE}/${tool.profile}.${tool.name}.json`, json(surfaceOf(tool))] as const),
]);

const read = (file: string): string | null =>
  existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : null;

function surplus(): string[] {
  const found = [SURFACE, CLIENTS].flatMap((folder) =>
    existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`) : [],
  );
  return found.filter((file) => !wanted.has(file));
}

function check(): number {
  const stale = [...wanted].flatMap(([file, text]) => (read(file) === text ? [] : [file]));
  const wrong = [...stale, ...surplus()];
  if (wrong.length === 0) return 0;
  process.stderr.write(
    `Not as the catalogue says; run npm run generate:\n${wrong.map((file) => `  ${file}\n`).join('')}`,
  );
  return 1;
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  if (read(file) !== text) writeFileSync(join(ROOT, file), text);
}

function write(): number {
  for (const [file, text] of wanted) writeFile(file, text);
  for (const file of surplus()) rmSync(join(ROOT, file), { recursive: true });
  return 0;
}

/** The client alone, of the document as it lies there. */
async function writeClient(): Promise<number> {
  try {
    writeFile(CLIENT, await clientOf(SWAGGER, read(SWAGGER)));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}

if (process.argv.includes('--check')) process.exitCode = check();
else process.exitCode = process.argv.includes('--client') ? await writeClient() : write();

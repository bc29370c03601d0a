import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catalog } from '../packages/server/src/tools/catalog.ts';
import { openApi } from '../packages/server/src/transports/rest/openapi.ts';
import { cliPage } from './generate/cli-page.ts';
import { configurationPage } from './generate/configuration-page.ts';
import { errorsPage } from './generate/errors-page.ts';
import { surfaceOf } from './generate/surface.ts';
import { toolsPage } from './generate/tools-page.ts';

const ROOT = dirname(import.meta.dirname);
const SURFACE = 'packages/server/surface';
const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8')) as { version: string };

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const wanted = new Map<string, string>([
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
  const folder = join(ROOT, SURFACE);
  const found = existsSync(folder) ? readdirSync(folder).map((name) => `${SURFACE}/${name}`) : [];
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

function write(): number {
  for (const [file, text] of wanted) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    if (read(file) !== text) writeFileSync(join(ROOT, file), text);
  }
  for (const file of surplus()) rmSync(join(ROOT, file));
  return 0;
}

process.exitCode = process.argv.includes('--check') ? check() : write();

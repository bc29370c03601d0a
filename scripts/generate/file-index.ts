import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folders whose files are listed. The paths of the first one are shown without it. */
const SERVER = 'packages/server/src/';
const SOURCES = [SERVER, 'packages/mcp/src/', 'packages/tasks/src/', 'scripts/', 'test/long/', 'test/e2e/'];
const HEADING = '## Every file';
const LEFT_OUT = [/\.test\.ts$/, /\/testing\//, /\/generated\//, /\/migrations\/\d/];
/** A file here that defines a tool is named after the tool. */
const TOOLS = /\/tools\/(admin|board|executions|tasker|todo)\//;
const INTRODUCTION = `An index to search in: what is decided in each file. Without tests, migrations, and the tools with one file each. A path that does not begin with \`packages/\`, \`scripts/\` or \`test/\` is below \`${SERVER}\`. \`npm run generate\` adds and removes lines and keeps the descriptions, which are written here.`;
const LINE = /^- `([^`]+)`(.*)$/;
/** A shorter description says no more than the name of its file. */
const MIN_WORDS = 5;

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const shown = (path: string): string => (path.startsWith(SERVER) ? path.slice(SERVER.length) : path);

function filesBelow(source: string, root: string): string[] {
  const definesTool = (file: string) =>
    TOOLS.test(file) && readFileSync(join(root, file), 'utf8').includes('defineTool(');
  return globSync(`${source}**/*.{ts,cjs,mjs}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !LEFT_OUT.some((pattern) => pattern.test(file)) && !definesTool(file))
    .toSorted((a, b) => byText(dirname(a), dirname(b)) || byText(a, b));
}

/** What the list of a text says of each path. Of two lines for one path, the first with a description counts. */
function descriptionsIn(text: string): ReadonlyMap<string, string> {
  const at = text.indexOf(HEADING);
  const found = new Map<string, string>();
  for (const line of at === -1 ? [] : text.slice(at).split('\n')) {
    const [, path = '', description = ''] = LINE.exec(line) ?? [];
    if (path !== '' && !found.get(path)) found.set(path, description.trim());
  }
  return found;
}

/** The description that a file brings along from another folder: that of the only missing file of its name. */
function broughtAlong(path: string, missing: ReadonlyMap<string, string>): string {
  const same = [...missing].filter(([old]) => basename(old) === basename(path));
  return same.length === 1 ? (same[0]?.[1] ?? '') : '';
}

/** Lists the files of the packages, the scripts and the long tests by folder, with the descriptions of the text. */
function fileIndex(text: string, root: string): string {
  const descriptions = descriptionsIn(text);
  const files = SOURCES.flatMap((source) => filesBelow(source, root)).map(shown);
  const missing = new Map([...descriptions].filter(([path]) => !files.includes(path)));
  const describe = (path: string) => descriptions.get(path) ?? broughtAlong(path, missing);
  const folders = [...Map.groupBy(files, (path) => dirname(path))].map(([folder, own]) => {
    const lines = own.map((path) => `- \`${path}\` ${describe(path)}`.trimEnd());
    return `**${folder === '.' ? SERVER : `${folder}/`}**\n\n${lines.join('\n')}`;
  });
  return `${HEADING}\n\n${INTRODUCTION}\n\n${folders.join('\n\n')}\n`;
}

/** Puts the current list of files in place of the one at the end of the text. */
export function withFileIndex(text: string, root: string): string {
  const at = text.indexOf(HEADING);
  return `${(at === -1 ? text : text.slice(0, at)).trimEnd()}\n\n${fileIndex(text, root)}`;
}

/** The listed files of which the text does not say what is decided there. */
export function undescribed(text: string): readonly string[] {
  return [...descriptionsIn(text)].flatMap(([path, words]) => (words.split(' ').length < MIN_WORDS ? [path] : []));
}

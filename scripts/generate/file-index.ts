import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ERRORS } from '../../packages/server/src/errors.ts';
import { namedLimits, numbersIn } from './named-limits.ts';

/** The folders whose files are listed. The paths of the first one are shown without it. */
const SERVER = 'packages/server/src/';
/** Files here say in comments what they decide: their lines are made from those. */
const WEB = 'packages/web/src/';
const SOURCES = [SERVER, WEB, 'packages/mcp/src/', 'packages/tasks/src/', 'scripts/', 'test/long/', 'test/e2e/'];
const HEADING = '## Every file';
const LEFT_OUT = [/\.test\.ts$/, /\/testing\//, /\/generated\//, /\/gallery\//, /\/migrations\/\d/];
/** A file here that defines a tool is named after the tool. */
const TOOLS = /(?:^|\/)tools\/(?:admin|board|executions|tasker|todo)\//;
const TOOL = /defineTool\([\s\S]*?name: '(\w+)',[\s\S]*?description:\s*(['"`])(.+?)\2,\n/;
const THROWN = /(?:new ErrandError\(|\bcode: )\s*'(\w+)'/g;
/** A comment and the name of what it is about, which a file exports or keeps for itself. */
const COMMENT =
  /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(export )?(?:declare )?(?:async )?(?:const|function|class|interface|type|module) '?(\w+)/gm;
/** Codes that are left out, because most files throw them. */
const COMMON_CODES = ['validation_error', 'not_found', 'conflict', 'internal'];
/** Between the description, which a person writes, and what is read out of the file. */
const FACTS = ' — ';
const INTRODUCTION = `An index to search in: what is decided in each file, without tests and migrations. A path that does not begin with \`packages/\`, \`scripts/\` or \`test/\` is below \`${SERVER}\`. \`npm run generate\` adds and removes lines and keeps the descriptions, which are written here. It writes the lines of the tools and those of \`packages/web\`, from the comments in its files, and behind a dash the limits that a file sets and the error codes that few files refuse with.`;
const LINE = /^- `([^`]+)`(.*)$/;
/** A shorter description says no more than the name of its file. */
const MIN_WORDS = 5;

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const shown = (path: string): string => (path.startsWith(SERVER) ? path.slice(SERVER.length) : path);

function filesBelow(source: string, root: string): string[] {
  return globSync(`${source}**/*.{ts,tsx,cjs,mjs}`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !LEFT_OUT.some((pattern) => pattern.test(file)))
    .toSorted((a, b) => byText(dirname(a), dirname(b)) || byText(a, b));
}

/** The description of a file that defines a tool: the tool's name, and what callers read of it. */
function toolIn(path: string, source: string): string | null {
  const [, name, , description] = (TOOLS.test(path) && TOOL.exec(source)) || [];
  return name === undefined ? null : `the tool \`${name}\`: ${description}`;
}

/** A name as a file is called after it: `DiffFile` and `diffFile` are diff-file. */
const fileNameOf = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/**
 * The description of a file of the web board: its comments, first that of what the file is named after, then those of
 * the other exports and of what it keeps for itself, each with the name of what it is about, and its number.
 */
function commentsIn(path: string, source: string): string | null {
  if (!path.startsWith(WEB)) return null;
  const numbers = numbersIn(source);
  const all = [...source.matchAll(COMMENT)].map(([, text = '', exported, name = '']) => ({
    name,
    isExported: exported !== undefined,
    text: text.replace(/\s*\n\s*\*\s*/g, ' ').trim(),
  }));
  const [file = ''] = basename(path).split('.');
  const main = all.find(({ name }) => fileNameOf(name) === file) ?? (all.length === 1 ? all[0] : undefined);
  const others = all
    .filter((each) => each !== main)
    .toSorted((a, b) => Number(b.isExported) - Number(a.isExported))
    .map(({ name, text }) => `${named(name, numbers)}: ${text}`);
  return [...(main === undefined ? [] : [main.text]), ...others].join(' ');
}

const named = (name: string, numbers: ReadonlyMap<string, string>): string =>
  numbers.has(name) ? `\`${name}\` ${numbers.get(name)}` : `\`${name}\``;

const refusalsIn = (source: string): readonly string[] =>
  [...new Set([...source.matchAll(THROWN)].map(([, code = '']) => code))].filter(
    (code) => Object.hasOwn(ERRORS, code) && !COMMON_CODES.includes(code),
  );

/** The facts of a file that its description lacks: its limits, and the codes that it refuses with. */
function factsIn(source: string, description: string): string {
  const codes = refusalsIn(source).filter((code) => !description.includes(`\`${code}\``));
  const refusals = codes.length === 0 ? [] : [`refuses with ${codes.map((code) => `\`${code}\``).join(', ')}`];
  const limits = [...namedLimits(source)].map(([name, number]) => `\`${name}\` ${number}`);
  const facts = [...limits.filter((limit) => !description.includes(limit)), ...refusals].join(', ');
  return facts === '' ? '' : `${FACTS}${facts}`;
}

/** What the list of a text says of each path. Of two lines for one path, the first with a description counts. */
function descriptionsIn(text: string): ReadonlyMap<string, string> {
  const at = text.indexOf(HEADING);
  const found = new Map<string, string>();
  for (const line of at === -1 ? [] : text.slice(at).split('\n')) {
    const [, path = '', rest = ''] = LINE.exec(line) ?? [];
    const [description = ''] = rest.replace(/^\s*:/, '').split(FACTS);
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
  const files = SOURCES.flatMap((source) => filesBelow(source, root));
  const paths = files.map(shown);
  const missing = new Map([...descriptions].filter(([path]) => !paths.includes(path)));
  const lineOf = (file: string) => {
    const path = shown(file);
    const source = readFileSync(join(root, file), 'utf8');
    const description =
      toolIn(path, source) ?? commentsIn(path, source) ?? descriptions.get(path) ?? broughtAlong(path, missing);
    const facts = file.startsWith('packages/') ? factsIn(source, description) : '';
    return `- \`${path}\` ${description}${facts}`.trimEnd();
  };
  const folders = [...Map.groupBy(files, (file) => dirname(shown(file)))].map(
    ([folder, own]) => `**${folder === '.' ? SERVER : `${folder}/`}**\n\n${own.map(lineOf).join('\n')}`,
  );
  return `${HEADING}\n\n${INTRODUCTION}\n\n${folders.join('\n\n')}\n`;
}

/** Puts the current list of files in place of the one at the end of the text. */
export function withFileIndex(text: string, root: string): string {
  const at = text.indexOf(HEADING);
  return `${(at === -1 ? text : text.slice(0, at)).trimEnd()}\n\n${fileIndex(text, root)}`;
}

/** The listed files whose lines have no description. */
export function undescribed(text: string): readonly string[] {
  return [...descriptionsIn(text)].flatMap(([path, words]) => (words.split(' ').length < MIN_WORDS ? [path] : []));
}

import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The folders whose files are listed. The paths of the first one are shown without it. */
const SERVER = 'packages/server/src/';
const SOURCES = [SERVER, 'packages/mcp/src/', 'packages/tasks/src/', 'scripts/', 'test/long/'];
const HEADING = '## Every file';
/** Their names are those of tools, migrations and tests. */
const LEFT_OUT = [
  /\.test\.ts$/,
  /\/testing\//,
  /\/generated\//,
  /\/migrations\/\d/,
  /\/tools\/(admin|board|executions|tasker|todo)\//,
];
const INTRODUCTION = `Without tests, migrations, and the tools with one file each. A path that does not begin with \`packages/\`, \`scripts/\` or \`test/\` is below \`${SERVER}\`. \`npm run generate\` writes this part.`;

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function foldersOf(source: string, root: string): string[] {
  const files = globSync(`${source}**/*.{ts,cjs,mjs}`, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const kept = files.filter((file) => !LEFT_OUT.some((pattern) => pattern.test(file))).toSorted(byText);
  const folders = Map.groupBy(kept, (file) => `${dirname(file)}/`);
  return [...folders]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([folder, own]) => {
      const names = own.map((file) => basename(file).replace(/\.[cm]?[jt]s$/, ''));
      const shown = folder.startsWith(SERVER) ? folder.slice(SERVER.length) || '/' : folder;
      return `- \`${shown}\` ${names.join(' · ')}`;
    });
}

/** Lists the files of the packages and of the scripts by folder. */
export function fileIndex(root: string): string {
  const lines = SOURCES.flatMap((source) => foldersOf(source, root));
  return `${HEADING}\n\n${INTRODUCTION}\n\n${lines.join('\n')}\n`;
}

/** Puts the current list of files in place of the one at the end of the text. */
export function withFileIndex(text: string, root: string): string {
  const at = text.indexOf(HEADING);
  return `${(at === -1 ? text : text.slice(0, at)).trimEnd()}\n\n${fileIndex(root)}`;
}

import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCE = 'packages/server/src';
const HEADING = '## Every file';
/** Their names are those of tools, migrations and tests. */
const LEFT_OUT = [
  /\.test\.ts$/,
  /\/testing\//,
  /\/generated\//,
  /\/migrations\/\d/,
  /\/tools\/(admin|board|executions|tasker|todo)\//,
];
const INTRODUCTION = `Below \`${SOURCE}\`, without tests, migrations, and the tools with one file each. \`npm run generate\` writes this part.`;

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Lists the files of the server by folder. */
export function fileIndex(root: string): string {
  const files = globSync(`${SOURCE}/**/*.ts`, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const kept = files.filter((file) => !LEFT_OUT.some((pattern) => pattern.test(file))).toSorted(byText);
  const folders = Map.groupBy(kept, (file) => dirname(file).slice(SOURCE.length + 1));
  const lines = [...folders]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([folder, own]) => {
      const names = own.map((file) => file.slice(file.lastIndexOf('/') + 1, -'.ts'.length));
      return `- \`${join(folder, '/')}\` ${names.join(' · ')}`;
    });
  return `${HEADING}\n\n${INTRODUCTION}\n\n${lines.join('\n')}\n`;
}

/** Puts the current list of files in place of the one at the end of the text. */
export function withFileIndex(text: string, root: string): string {
  const at = text.indexOf(HEADING);
  return `${(at === -1 ? text : text.slice(0, at)).trimEnd()}\n\n${fileIndex(root)}`;
}

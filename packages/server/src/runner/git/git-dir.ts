import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from './source.ts';

export interface GitDirPlan {
  readonly source: Source;
  /** Null for a git directory beside a folder, not in it. */
  readonly branch: string | null;
  /** Other places of objects. */
  readonly objects?: readonly string[];
  /** Commits by the full name of the reference. */
  readonly refs: ReadonlyMap<string, string>;
}

/** The files of every git directory that Errand makes, by path: an agent put any other file there. */
export function trustedFiles({ source, branch }: GitDirPlan): ReadonlyMap<string, string> {
  return new Map([
    ['config', configOf(source, branch === null)],
    ['info/exclude', source.exclude],
    ['objects/info/alternates', `${source.objects}\n`],
    ...(source.shallow === null ? [] : [['shallow', source.shallow] as const]),
  ]);
}

/** Writes a git directory that uses the objects of the source. No program runs, so that no template is used. */
export async function writeGitDir(folder: string, plan: GitDirPlan): Promise<void> {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await mkdir(join(folder, part), { recursive: true });
  for (const [path, text] of trustedFiles(plan)) await writeFile(join(folder, path), text);
  const elsewhere = [plan.source.objects, ...(plan.objects ?? [])];
  await writeFile(join(folder, 'objects/info/alternates'), `${elsewhere.join('\n')}\n`);
  await writeFile(join(folder, 'HEAD'), `ref: refs/heads/${plan.branch ?? 'none'}\n`);
  await writeRefs(folder, plan.refs);
}

export async function writeRefs(folder: string, refs: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...refs]
    .map(([name, commit]) => `${commit} ${name}\n`)
    .sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1));
  // No header line `# pack-refs with: peeled`: it would promise git the commit of each tag on a second line.
  await writeFile(join(folder, 'packed-refs'), lines.join(''));
}

const nameIn = (line: string): string => line.slice(line.indexOf(' ') + 1);

function configOf({ object_format, identity }: Source, is_bare: boolean): string {
  const is_sha1 = object_format === 'sha1';
  return [
    '[core]',
    `\trepositoryformatversion = ${is_sha1 ? 0 : 1}`,
    '\tfilemode = true',
    `\tbare = ${is_bare}`,
    ...(is_bare ? [] : ['\tlogallrefupdates = true']),
    ...(is_sha1 ? [] : ['[extensions]', `\tobjectformat = ${object_format}`]),
    ...(is_bare ? [] : ['[user]', `\tname = ${quoted(identity.name)}`, `\temail = ${quoted(identity.email)}`]),
    '',
  ].join('\n');
}

const quoted = (value: string): string => `"${value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

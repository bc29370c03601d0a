import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ErrandError } from '#errors';
import { SERVER, type Setup, tomlTable } from '#transports/mcp-clients';
import { addElement, NotJson, removeElement, removeMember, setMember } from './jsonc.ts';
import { NotToml, removeTable, setTable } from './toml.ts';

/** Only the owner may read the configuration file: it holds a token. */
const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;
const READ_BY_OTHERS = 0o044;

type FileSetup = Extract<Setup, { readonly kind: 'file' }>;

/** Changes of a configuration file that have not been written yet. */
export interface Edit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns the first of these files that exists, else the first. */
export async function chooseFile(paths: readonly string[]): Promise<string> {
  for (const path of paths) if ((await textOf(path)) !== null) return path;
  return paths[0] ?? '';
}

function edited(path: string, change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof NotJson || error instanceof NotToml)) throw error;
    throw new ErrandError('validation_error', `${path} cannot be read at ${error.message}. Nothing was changed.`, {
      hint: 'Mend the file, or move it away, and run the command again.',
    });
  }
}

function withEntry(text: string, { format, section, entry, input }: FileSetup): string {
  if (format === 'toml') return setTable(text, [section, SERVER], tomlTable(section, entry));
  const added = setMember(text, [section, SERVER], entry);
  return input === undefined ? added : addElement(added, 'inputs', input);
}

function withoutEntry(text: string, { format, section, input }: FileSetup): string {
  if (format === 'toml') return removeTable(text, [section, SERVER]);
  const left = removeMember(text, [section, SERVER]);
  return input === undefined ? left : removeElement(left, 'inputs', input.id);
}

async function editOf(path: string, change: (text: string) => string): Promise<Edit> {
  const before = await textOf(path);
  return { path, before, after: edited(path, () => change(before ?? '')) };
}

export const editWith = (path: string, setup: FileSetup): Promise<Edit> =>
  editOf(path, (text) => withEntry(text, setup));

export const editWithout = (path: string, setup: FileSetup): Promise<Edit> =>
  editOf(path, (text) => withoutEntry(text, setup));

/** The path of the backup. */
const backupOf = (path: string): string => `${path}.before-errand`;

/** Replaces the file in one step and keeps its mode. A link stays a link. */
async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & PERMISSIONS,
    () => OWNER_ONLY,
  );
  const draft = `${target}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: OWNER_ONLY, flag: 'wx', flush: true });
    await chmod(draft, mode);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes the change and keeps a backup beside the file. Returns whether there was anything to write. */
export async function writeEdit({ path, before, after }: Edit): Promise<boolean> {
  if (before === after || (before === null && after === '')) return false;
  await mkdir(dirname(path), { recursive: true });
  if (before !== null) {
    await copyFile(path, backupOf(path));
    await chmod(backupOf(path), (await stat(path)).mode & PERMISSIONS);
  }
  await replaceFile(path, after);
  return true;
}

/** Restores the text from before the change. */
export const revertEdit = ({ path, before }: Edit): Promise<void> =>
  before === null ? rm(path, { force: true }) : replaceFile(path, before);

/** Whether other users of the machine may read the file. */
export const isReadByOthers = async (path: string): Promise<boolean> =>
  ((await stat(path)).mode & READ_BY_OTHERS) !== 0;

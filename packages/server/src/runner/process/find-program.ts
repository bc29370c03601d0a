import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { ProcessError } from './process-error.ts';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The file of a program, found as the run itself would find it. */
export function findProgram(name: string, folder: string, path: string = DEFAULT_PATH): string {
  if (name.includes('/')) {
    const file = resolve(folder, name);
    if (isProgram(file)) return file;
    throw new ProcessError(`${name} does not exist, or is not a program that may be run.`);
  }

  // Relative entries are passed over: they would find programs in the repository that the run works on.
  const places = path.split(':').filter(isAbsolute);
  const file = places.map((place) => join(place, name)).find(isProgram);
  if (file !== undefined && name !== '') return file;
  throw new ProcessError(`${name || 'The program'} is not installed or not on the PATH.`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { quote } from './hide-script.ts';
import { ProcessError } from './process-error.ts';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The file of a program, as the run itself would find it. */
export function findProgram(name: string, folder: string, path: string = DEFAULT_PATH): string {
  if (name.includes('/')) {
    const file = resolve(folder, name);
    if (isProgram(file)) return file;
    throw new ProcessError(notAProgram(file) ?? `${name} does not exist.`);
  }

  // Relative entries are skipped: they would find programs in the repository that the run works on.
  const places = path.split(':').filter(isAbsolute);
  const files = name === '' ? [] : places.map((place) => join(place, name));
  const file = files.find(isProgram);
  if (file !== undefined) return file;
  const [problem] = files.flatMap((one) => notAProgram(one) ?? []);
  throw new ProcessError(problem ?? `${name || 'The program'} is not installed or not on the PATH.`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Why an existing file cannot be run; null when there is no such file. */
function notAProgram(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return null;
  return `${file} is not executable: chmod +x ${/^[\w@%+=:,./-]+$/.test(file) ? file : quote(file)}`;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { docsFolder } from './docs.ts';

/** Finds a picture of the documentation by its name; undefined when there is none. Each is read once. */
export function createDocsPictures(folder: string = docsFolder()) {
  const read = new Map<string, Promise<Buffer>>();
  let names: Promise<ReadonlySet<string>> | undefined;
  const known = (): Promise<ReadonlySet<string>> => {
    names ??= readdir(join(folder, 'images')).then(
      (files) => new Set(files.filter((file) => file.endsWith('.webp'))),
      () => new Set<string>(),
    );
    return names;
  };

  return async (name: string): Promise<Buffer | undefined> => {
    // Only names that the folder has: a request must not reach another file.
    if (!(await known()).has(name)) return undefined;
    const bytes = read.get(name) ?? readFile(join(folder, 'images', name));
    read.set(name, bytes);
    return bytes;
  };
}

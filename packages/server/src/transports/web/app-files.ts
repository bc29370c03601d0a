import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the web app as it is sent. */
export interface AppFile {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly etag: string;
  readonly type: string;
  /** How the bytes are compressed; null for not at all. */
  readonly encoding: 'br' | 'gzip' | null;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
};

/** One part of a path: without slashes, and never `..`. */
const NAME = /^[\w-]+(?:\.[\w-]+)*\.([a-z]+)$/;

/** The compressed forms that the build may have written beside a file, the smaller first. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/** In the package, beside the bundle; where the build writes it when the program runs from source. */
function usualFolder(): string {
  const folders = ['web', '../web', '../../../dist/web'].map((path) => join(import.meta.dirname, path));
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? folders.at(-1) ?? '';
}

async function bytesOf(path: string): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await readFile(path);
  } catch (error) {
    // Safe: all errors of the file system have a code.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });

/** The files of the built web app. They are read for each request: a build that goes on changes them. */
export function createAppFiles(folder: string = usualFolder()) {
  async function read(path: string, type: string, accepted: string): Promise<AppFile | null> {
    const wanted = ENCODINGS.filter(({ encoding }) => accepts(accepted, encoding));
    for (const { encoding, suffix } of [...wanted, { encoding: null, suffix: '' }]) {
      const bytes = await bytesOf(`${path}${suffix}`);
      if (bytes !== null) return { bytes, type, encoding, etag: `"${hash('sha256', bytes, 'hex').slice(0, 32)}"` };
    }
    return null;
  }

  function find(parts: readonly string[], name: string, accepted: string): Promise<AppFile | null> {
    const [, extension = ''] = NAME.exec(name) ?? [];
    const type = TYPES[extension];
    return type === undefined ? Promise.resolve(null) : read(join(folder, ...parts, name), type, accepted);
  }

  return {
    /** The page of all addresses of the app; null when the app is not built. */
    page: (accepted: string): Promise<AppFile | null> => find([], 'index.html', accepted),
    /** A file beside the page, such as its icon. */
    file: (name: string, accepted: string): Promise<AppFile | null> =>
      name === 'index.html' ? Promise.resolve(null) : find([], name, accepted),
    /** A file whose name holds a hash of its content. */
    asset: (name: string, accepted: string): Promise<AppFile | null> => find(['assets'], name, accepted),
  };
}

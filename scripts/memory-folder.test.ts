import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';

const DAY_S = 24 * 60 * 60;
const MAY_MOUNT = spawnSync('unshare', ['--mount', 'true']).status === 0;
const PROGRAM = `
  import { makeMemoryFolder } from ${JSON.stringify(join(import.meta.dirname, 'memory-folder.ts'))};
  import { readdirSync } from 'node:fs';
  console.log(JSON.stringify([makeMemoryFolder(process.argv[1]), readdirSync(process.argv[1])]));`;

function aPlace(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'errand-memory-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** Makes a folder of a run that ended `ago_s` seconds ago. */
function leave(place: string, name: string, ago_s: number): void {
  mkdirSync(join(place, name));
  const then = Date.now() / 1000 - ago_s;
  utimesSync(join(place, name), then, then);
}

/** Runs the program in a file system of its own, mounted with the options. Returns the folder and what is in the place. */
function makeMounted(options: string): [string | null, string[]] {
  using place = aPlace();
  const script = `mount -t tmpfs -o ${options} tmpfs "$1" && exec "$2" --input-type=module -e "$3" "$1"`;
  const args = ['--mount', 'sh', '-c', script, 'sh', place.path, process.execPath, PROGRAM];
  return JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' }));
}

describe('the folder for the files of tests', () => {
  it('is a new one each time, in which every user may make files', () => {
    using place = aPlace();

    const folders = [makeMemoryFolder(place.path), makeMemoryFolder(place.path)].map(String);

    expect(new Set(folders).size).toBe(2);
    expect(folders.map(dirname)).toEqual([place.path, place.path]);
    expect(folders.map((folder) => statSync(folder).mode & 0o7777)).toEqual([0o1777, 0o1777]);
    expect(folders.flatMap((folder) => readdirSync(folder))).toEqual([]);
  });

  it('replaces folders that ended runs left a day ago, and no others', () => {
    using place = aPlace();
    leave(place.path, 'errand-tests-old', DAY_S + 60);
    leave(place.path, 'errand-tests-running', DAY_S - 60);
    leave(place.path, 'of-another-program', 10 * DAY_S);

    const folder = makeMemoryFolder(place.path);

    expect(readdirSync(place.path).sort()).toEqual(
      [basename(String(folder)), 'errand-tests-running', 'of-another-program'].sort(),
    );
  });

  it('is not made where the place is missing', () => {
    expect(makeMemoryFolder(join(tmpdir(), 'errand-no-such-place'))).toBeNull();
  });

  it.skipIf(!MAY_MOUNT)('is not made, and nothing is left, where programs cannot run or 2 GiB are not free', () => {
    const [folder, made] = makeMounted('size=3g');

    expect(made).toEqual([basename(String(folder))]);
    expect(makeMounted('size=3g,noexec')).toEqual([null, []]);
    expect(makeMounted('size=2047m')).toEqual([null, []]);
  });
});

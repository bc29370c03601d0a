import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errand-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function aProgram(name: string, mode = 0o755): string {
  const file = join(folder, name);
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

describe('findProgram', () => {
  it('finds a program on the PATH, and one by its path from the folder', () => {
    const file = aProgram('agent');

    expect(findProgram('agent', '/', `/no/such:${folder}`)).toBe(file);
    expect(findProgram('./agent', folder)).toBe(file);
    expect(findProgram(file, '/')).toBe(file);
  });

  it('says how to make a file executable', () => {
    const file = aProgram('notes', 0o644);
    const odd = aProgram("my agent's", 0o644);

    const words = `${file} is not executable: chmod +x ${file}`;
    expect(() => findProgram(file, '/')).toThrow(words);
    expect(() => findProgram('notes', '/', folder)).toThrow(words);
    expect(() => findProgram(odd, '/')).toThrow(String.raw`chmod +x '${folder}/my agent'\''s'`);
  });

  it('skips folders, and files that are not programs where a program follows', () => {
    aProgram('notes', 0o644);
    mkdirSync(join(folder, 'place'));
    mkdirSync(join(folder, 'more'));
    const program = aProgram('more/notes');

    expect(findProgram('notes', '/', `${folder}:${folder}/more`)).toBe(program);
    expect(() => findProgram('place', '/', folder)).toThrow('place is not installed or not on the PATH.');
    expect(() => findProgram('', '/', folder)).toThrow('The program is not installed');
  });

  it.each(['', '.', 'bin', ':', './bin'])('never looks into the repository for a PATH of "%s"', (path) => {
    aProgram('agent');

    expect(() => findProgram('agent', folder, path)).toThrow('agent is not installed or not on the PATH.');
  });
});

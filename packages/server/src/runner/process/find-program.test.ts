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

  it('passes over folders and files that are not programs', () => {
    aProgram('notes', 0o644);
    mkdirSync(join(folder, 'place'));

    expect(() => findProgram('notes', '/', folder)).toThrow('notes is not installed or not on the PATH.');
    expect(() => findProgram('place', '/', folder)).toThrow('place is not installed or not on the PATH.');
    expect(() => findProgram('', '/', folder)).toThrow('The program is not installed');
  });

  it.each(['', '.', 'bin', ':', './bin'])('never looks into the repository for a PATH of "%s"', (path) => {
    aProgram('agent');

    expect(() => findProgram('agent', folder, path)).toThrow('agent is not installed or not on the PATH.');
  });
});

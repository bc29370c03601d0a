import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

type Step = 'makeLean' | 'isLean' | 'removeLeanPackages';
const lean: Record<Step, (modules: string) => unknown> = createRequire(import.meta.url)('./lean-install.cjs');

const FILES = {
  needed: ['plain/package.json', 'plain/dist/main.js', 'plain/LICENSE.md', '@types/node/types.ts', 'node/bin/node'],
  forTools: ['plain/dist/main.js.map', 'plain/dist/main.d.ts', '@types/node/index.d.mts', '@types/node/index.d.cts'],
};

const folders: string[] = [];

/** Makes a node_modules with these files, and a link to a package of the repository as workspaces have. */
function install() {
  const root = mkdtempSync(join(tmpdir(), 'errand-lean-'));
  folders.push(root);
  const modules = join(root, 'node_modules');
  const own = join(root, 'packages/own');
  for (const file of [...FILES.needed, ...FILES.forTools, '.package-lock.json'].map((name) => join(modules, name))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'source.d.ts'), '');
  symlinkSync(own, join(modules, 'own'));
  const present = (names: readonly string[]) => names.filter((name) => existsSync(join(modules, name)));
  return { modules, own: join(own, 'source.d.ts'), present };
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('what npm start installs', () => {
  it('has neither source maps nor declarations of types, and leaves the repository alone', () => {
    const { modules, own, present } = install();

    lean.makeLean(modules);

    expect(present(FILES.forTools)).toEqual([]);
    expect(present(FILES.needed)).toEqual(FILES.needed);
    expect(existsSync(own)).toBe(true);
    expect(lean.isLean(modules)).toBe(true);
  });

  it('is removed before the tests install, except Node, so that npm unpacks every package whole', () => {
    const { modules, own, present } = install();
    lean.makeLean(modules);

    lean.removeLeanPackages(modules);

    expect(present(FILES.needed)).toEqual(['node/bin/node']);
    expect(present(['.package-lock.json', 'own'])).toEqual([]);
    expect(existsSync(own)).toBe(true);
    expect(lean.isLean(modules)).toBe(false);
  });
});

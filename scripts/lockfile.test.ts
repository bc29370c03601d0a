import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  entriesWithAddress,
  missingEntries,
  type Packages,
  platformOf,
  withEntry,
} from './lockfile/optional-entries.ts';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Packages;
};

const tool = (version: string) => ({ version, optionalDependencies: { '@tool/mac': version, '@tool/linux': version } });

describe('package-lock.json', () => {
  it('has an entry for every optional dependency of every package, so that npm ci takes it on every platform', () => {
    expect(missingEntries(packages)).toEqual([]);
  });

  it('names no registry', () => {
    expect(entriesWithAddress(packages)).toEqual([]);
  });

  it('says for which platform each binary is', () => {
    const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
    const binaries = named.filter((name) => /-(linux|darwin|win32)-/.test(name));
    const entries = Object.entries(packages).filter(([place]) => binaries.some((name) => place.endsWith(`/${name}`)));

    expect(entries.length).toBeGreaterThan(40);
    expect(entries.filter(([, { os, cpu }]) => os === undefined || cpu === undefined)).toEqual([]);
  });
});

describe('the entries of optional dependencies', () => {
  const locked: Packages = {
    '': {},
    'node_modules/tool': { ...tool('2.0.0'), dev: true },
    'node_modules/@tool/linux': { version: '2.0.0' },
    'node_modules/user': { version: '1.0.0' },
    'node_modules/user/node_modules/tool': tool('1.0.0'),
  };

  it('are missing where the nearest one is of another version', () => {
    expect(missingEntries(locked)).toEqual([
      { parent: 'node_modules/tool', name: '@tool/mac', version: '2.0.0' },
      { parent: 'node_modules/user/node_modules/tool', name: '@tool/mac', version: '1.0.0' },
      { parent: 'node_modules/user/node_modules/tool', name: '@tool/linux', version: '1.0.0' },
    ]);
  });

  it('are added beside their parents, optional, and for development where the parent is', () => {
    const added = missingEntries(locked).reduce((all, missing) => withEntry(all, missing, { os: ['darwin'] }), locked);

    expect(missingEntries(added)).toEqual([]);
    expect(added['node_modules/@tool/mac']).toEqual({ version: '2.0.0', os: ['darwin'], dev: true, optional: true });
    expect(added['node_modules/user/node_modules/@tool/mac']).toEqual({
      version: '1.0.0',
      os: ['darwin'],
      optional: true,
    });
  });

  it('name their platform, as the registry does', () => {
    const known = Object.entries(packages).filter(([, { integrity, os, cpu }]) => integrity && os && cpu);

    expect(known.length).toBeGreaterThan(30);
    for (const [place, { os, cpu }] of known) expect(platformOf(place), place).toMatchObject({ os, cpu });
    expect(platformOf('@tool/linux-x64-musl')).toEqual({ os: ['linux'], cpu: ['x64'], libc: ['musl'] });
  });

  it('are found to name a registry, which links to workspaces do not', () => {
    const entries = {
      'node_modules/a': { resolved: 'https://registry.example/a.tgz' },
      'node_modules/b': { link: true },
    };

    expect(entriesWithAddress(entries)).toEqual(['node_modules/a']);
  });
});

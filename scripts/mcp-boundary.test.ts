import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** All methods of all revisions of the protocol, from its schemas. */
const METHODS = new Set(
  globSync('packages/tasks/schema/*.schema.json', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/"const": "([a-z]+(?:\/[a-zA-Z_]+)*)"/g)].map(([, method = '']) => method),
  ),
);
const methodsIn = (source: string): readonly string[] =>
  [...source.matchAll(/['"]([a-z]+(?:\/[a-zA-Z_]+)+|initialize|ping)['"]/g)]
    .map(([, text = '']) => text)
    .filter((text) => METHODS.has(text));

const PRODUCT = globSync('packages/server/src/**/*.ts', { cwd: ROOT }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/testing/'),
);

describe('a new method of MCP', () => {
  it('is one more name in packages/mcp', () => {
    expect(
      ['initialize', 'ping', 'tools/call', 'tasks/result', 'server/discover'].filter((it) => !METHODS.has(it)),
    ).toEqual([]);
    expect(methodsIn(read('packages/mcp/src/methods.ts'))).toContain('tools/call');
  });

  it('is no name in the product', () => {
    const named = PRODUCT.flatMap((file) => methodsIn(read(file)).map((method) => `${file}: ${method}`));

    expect(PRODUCT.length).toBeGreaterThan(300);
    expect(named).toEqual([]);
  });

  it('reaches the product only through the package’s entry points, and the package does not import the product', () => {
    const reachesIn = [...PRODUCT, ...globSync('examples/*/src/**/*.ts', { cwd: ROOT })].filter((file) =>
      read(file).includes('packages/mcp/src'),
    );
    const reachesOut = globSync('packages/mcp/src/**/*.ts', { cwd: ROOT }).filter((file) =>
      /from '(?:errand|[^']*packages\/server)/.test(read(file)),
    );

    expect([...reachesIn, ...reachesOut]).toEqual([]);
  });
});

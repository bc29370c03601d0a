import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { a2025Request, a2026Request } from '@errand/mcp/testing';
import { describe, expect, it } from 'vitest';
import { SHARED_METHODS } from '../packages/mcp/src/methods.ts';
import type { Method } from '../packages/mcp/src/revision.ts';
import { createServed } from '../packages/server/src/testing/served.ts';

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

/** What a file imports: names of packages, and for neighbours their paths from the root of the repository. */
const importsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? join(dirname(file), path) : path,
  );

describe('a new method of MCP', () => {
  it('is one more name in packages/mcp', () => {
    expect(
      ['initialize', 'ping', 'tools/call', 'tasks/result', 'server/discover'].filter((it) => !METHODS.has(it)),
    ).toEqual([]);
    expect(methodsIn(read('packages/mcp/src/methods.ts'))).toContain('tools/call');
  });

  it('is answered by the product, which has no line for it', async () => {
    // Safe: it is a Map, which only its type protects.
    const methods = SHARED_METHODS as Map<string, Method>;
    methods.set('toys/list', (_host, { revision }) => revision.complete('"toys":["ball"]', 'list'));
    try {
      await using served = await createServed();

      for (const request of [a2025Request, a2026Request]) {
        const { body, headers } = request('toys/list');
        const said = await served.call('POST', '/mcp', body, {
          accept: 'application/json, text/event-stream',
          ...headers,
        });

        expect(said.json).toMatchObject({ result: { toys: ['ball'] } });
      }
    } finally {
      methods.delete('toys/list');
    }
  });

  it('is no name in the product', () => {
    const named = PRODUCT.flatMap((file) => methodsIn(read(file)).map((method) => `${file}: ${method}`));

    expect(PRODUCT.length).toBeGreaterThan(300);
    expect(named).toEqual([]);
  });

  it('reaches the product only through the package’s entry points, and the package does not import the product', () => {
    const outside = globSync('examples/*/src/**/*.ts', { cwd: ROOT });
    const inside = globSync('packages/mcp/src/**/*.ts', { cwd: ROOT });
    const reachesIn = [...PRODUCT, ...outside].flatMap((file) =>
      importsOf(file).filter((path) => path.startsWith('packages/mcp/')),
    );
    const reachesOut = inside.flatMap((file) =>
      importsOf(file).filter((path) => /^errand(?:\/|$)/.test(path) || path.startsWith('packages/server/')),
    );

    expect(inside.flatMap(importsOf)).toContain('packages/mcp/src/json-rpc.ts');
    expect([...reachesIn, ...reachesOut]).toEqual([]);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(import.meta.dirname);

/** A comment that disables the rule about imports: by its name, by its group, or with all rules. */
const SILENCED = /biome-ignore(?:-all|-start)?\s+lint(?:\/style(?:\/noRestrictedImports)?)?\s*:/;

describe('the layer rule', () => {
  it.each([
    '// biome-ignore lint/style/noRestrictedImports: once',
    '// biome-ignore-all lint/style: all of them',
    '/* biome-ignore lint: everything */',
  ])('is seen to be silenced by %s', (comment) => {
    expect(comment).toMatch(SILENCED);
  });

  it('is disabled nowhere', () => {
    const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT });

    const silenced = files.filter((file) => SILENCED.test(readFileSync(join(ROOT, file), 'utf8')));

    expect(files.length).toBeGreaterThan(100);
    expect(silenced).toEqual([]);
  });
});

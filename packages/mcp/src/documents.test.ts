import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..');

const read = (name: string): Promise<string> => readFile(join(PACKAGE, name), 'utf8');

/** Returns the programs of the README, each with the output that is quoted below it. */
async function programs(): Promise<readonly { index: number; program: string; output: string }[]> {
  const blocks = (await read('README.md')).matchAll(/```ts\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs);
  return Array.from(blocks, ([, program = '', output = ''], index) => ({ index, program, output }));
}

describe('the README', async () => {
  const all = await programs();

  it.each(all.filter(({ output }) => output !== ''))(
    'has a program $index that prints what is written below it',
    async ({ program, output }) => {
      const folder = await mkdtemp(join(tmpdir(), 'mcp-documents-'));
      try {
        await symlink(join(PACKAGE, '../../node_modules'), join(folder, 'node_modules'));
        await writeFile(join(folder, 'program.ts'), program);

        const { stdout } = await run(process.execPath, ['--conditions=errand-source', 'program.ts'], { cwd: folder });

        expect(stdout).toBe(output);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('begins with a server of 15 lines at most', () => {
    const [first] = all;

    expect(first?.program).toContain('listen(');
    expect(first?.program.trim().split('\n').length).toBeLessThanOrEqual(15);
  });
});

describe('the rules', async () => {
  const rules = [...(await read('SPEC.md')).matchAll(/^- \*\*(M[\d.]+)\*\* /gm)].map(([, rule = '']) => rule);
  const files = globSync('src/**/*.test.ts', { cwd: PACKAGE });
  const titles = await Promise.all(files.map(read));
  const cited = new Set(
    titles.flatMap((text) =>
      [...text.matchAll(/['"`]\[([\w., -]+)\] /g)].flatMap(([, ids = '']) => ids.match(/\bM\d+\.\d+/g) ?? []),
    ),
  );

  it('are each cited by a test, and no unknown rule is cited', () => {
    expect([...cited].toSorted()).toEqual(rules.toSorted());
    expect(rules.length).toBeGreaterThan(50);
  });

  it('have one number each', () => {
    expect(new Set(rules).size).toBe(rules.length);
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'tasks-documents-'));
afterAll(() => rm(folder, { recursive: true }));
await symlink(new URL('node_modules', ROOT), join(folder, 'node_modules'));

/** Returns the programs of a document, each with the output that is quoted below it. */
async function programsOf(document: string) {
  const text = await readFile(new URL(document, ROOT), 'utf8');
  const blocks = text.matchAll(/```ts\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs);
  return Array.from(blocks, ([, program = '', output = ''], index) => ({ index, program, output }));
}

/** Replaces ids and times, which differ in every run. */
const withoutChance = (output: string): string =>
  output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .trim();

describe.each(['packages/tasks/README.md', 'docs/guide/tasks.md'])('%s', async (document) => {
  const programs = await programsOf(document);

  it.each(programs)('[R1] program $index prints what is written below it', async ({ index, program, output }) => {
    const file = join(folder, `${document.replaceAll(/\W/g, '-')}-${index}.ts`);
    await writeFile(file, program);

    const { stdout } = await run(process.execPath, ['--conditions=errand-source', file], { cwd: folder });

    expect(withoutChance(stdout)).toBe(output.trim());
  });
});

it('[R1] the first program of the README has less than 20 lines', async () => {
  const [first] = await programsOf('packages/tasks/README.md');

  const lines = first?.program.trim().split('\n') ?? [];

  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(20);
});

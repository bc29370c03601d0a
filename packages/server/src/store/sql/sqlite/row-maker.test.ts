import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';
import { rowMaker } from './row-maker.ts';

const NAMES = ['id', 'a "quoted" name', 'back\\slash', 'id'];
const ROW = { id: 'last', 'a "quoted" name': null, 'back\\slash': 2 };

it('makes a row of values by the names of its columns, the last of one name', () => {
  expect(rowMaker(NAMES)(['first', null, 2, 'last'])).toEqual(ROW);
});

it('makes the same rows in a process that may not compile texts', () => {
  const file = join(import.meta.dirname, 'row-maker.ts');
  const program = `
    const { rowMaker } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(rowMaker(${JSON.stringify(NAMES)})(['first', null, 2, 'last'])));`;
  const flags = ['--disallow-code-generation-from-strings', '--disable-warning=ExperimentalWarning'];
  const printed = execFileSync(execPath, [...flags, '--input-type=module', '-e', program], { encoding: 'utf8' });

  expect(JSON.parse(printed)).toEqual(ROW);
});

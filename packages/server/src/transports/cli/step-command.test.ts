import { describe, expect, it } from 'vitest';
import { splitCommand, stepOrderOf } from './step-command.ts';

describe('the words of errand step', () => {
  it('create a step', () => {
    expect(stepOrderOf(['Build'], null, { status: 'skipped', message: 'not today' })).toEqual({
      kind: 'create',
      fields: { step_name: 'Build', status: 'skipped', message: 'not today' },
    });
  });

  it('update a step', () => {
    expect(stepOrderOf([], null, { id: 's1', status: 'completed' })).toEqual({
      kind: 'update',
      fields: { step_id: 's1', status: 'completed' },
    });
  });

  it('run a command within a step', () => {
    expect(stepOrderOf(['Build'], ['make', '-j2'], { message: 'all of it' })).toEqual({
      kind: 'run',
      fields: { step_name: 'Build', message: 'all of it' },
      command: ['make', '-j2'],
    });
  });

  it('may begin with a dash under a flag', () => {
    expect(stepOrderOf([], null, { name: '-v is on' })).toEqual({ kind: 'create', fields: { step_name: '-v is on' } });
    expect(stepOrderOf([], ['make'], { name: '-v' })).toMatchObject({ kind: 'run', fields: { step_name: '-v' } });
  });

  it.each([
    [['Build', 'it'], null, {}, 'in quotes'],
    [[], null, {}, 'Say what the step does'],
    [[], ['make'], {}, 'Say what the step does'],
    [['Build'], null, { name: 'Build' }, 'give one of them'],
    [['Build'], null, { id: 's1', status: 'failed' }, 'no text'],
    [[], null, { id: 's1', name: 'Build', status: 'failed' }, 'no text'],
    [[], ['make'], { id: 's1', status: 'failed' }, 'no command'],
    [[], [], { id: 's1', status: 'failed' }, 'no command'],
    [[], null, { id: 's1' }, 'give --status, --message, or both'],
    [['Build'], ['make'], { status: 'completed' }, 'exit code decides'],
    [['Build'], ['make'], { json: true }, 'the output is its own'],
    [['Build'], [''], {}, 'is empty'],
    [['Build'], [], {}, 'is empty'],
  ])('%j -- %j %j are refused', (words, command, flags, why) => {
    expect(() => stepOrderOf(words, command, flags)).toThrow(why);
  });

  it('end at the first dashes, for this command alone', () => {
    expect(splitCommand(['step', 'a', '--', 'b', '--', '--json'])).toEqual([
      ['step', 'a'],
      ['b', '--', '--json'],
    ]);
    expect(splitCommand(['step', 'a'])).toEqual([['step', 'a'], null]);
    expect(splitCommand(['step', 'a', '--'])).toEqual([['step', 'a'], []]);
    expect(splitCommand(['todo', 'add-task', '--', 'b'])).toEqual([['todo', 'add-task', '--', 'b'], null]);
  });
});

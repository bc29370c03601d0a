import { describe, expect, it } from 'vitest';
import { bytes, keyText, listed, plural, runLook, systemOf, taskLook } from './words.ts';

describe('looks', () => {
  it.each([
    [{ group: 'backlog' }, 'todo'],
    [{ group: 'unstarted', ready: true }, 'ready'],
    [{ group: 'unstarted', ready: false }, 'todo'],
    [{ group: 'started', state: 'Doing' }, 'progress'],
    [{ group: 'started', state: 'Review' }, 'review'],
    [{ group: 'started', state: 'Preview' }, 'progress'],
    [{ group: 'completed', state: 'Reviewed' }, 'done'],
    [{ group: 'cancelled' }, 'cancelled'],
  ] as const)('of a task %j is %s', (facts, look) => {
    expect(taskLook(facts)).toBe(look);
  });

  it('of a run names what the API calls killed and interrupted, and shows who waits', () => {
    expect(runLook('killed')).toBe('stopped');
    expect(runLook('interrupted')).toBe('lost');
    expect(runLook('running', true)).toBe('waiting');
    expect(runLook('failed', true)).toBe('failed');
  });
});

describe('counts and lists', () => {
  it('agree with their nouns', () => {
    expect([plural(0, 'task'), plural(1, 'task'), plural(2_418, 'task')]).toEqual(['0 tasks', '1 task', '2,418 tasks']);
    expect(plural(2, 'criterion', 'criteria')).toBe('2 criteria');
  });

  it('join names with commas and one and', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
  });

  it('give sizes in the unit that keeps them short', () => {
    expect([bytes(0), bytes(999), bytes(1_000), bytes(14_300), bytes(2_400_000)]).toEqual([
      '0 B',
      '999 B',
      '1.0 KB',
      '14 KB',
      '2.4 MB',
    ]);
  });
});

describe('keyText', () => {
  it('writes ⌘ on Apple’s systems and Ctrl on others', () => {
    expect(keyText('mod+k', systemOf('MacIntel'))).toBe('⌘K');
    expect(keyText('mod+k', systemOf('Linux x86_64'))).toBe('Ctrl K');
    expect(keyText('mod+enter', systemOf('Win32'))).toBe('Ctrl ↵');
    expect(keyText('g i', systemOf('iPhone'))).toBe('G I');
  });
});

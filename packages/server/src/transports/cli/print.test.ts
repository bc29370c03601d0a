import { describe, expect, it } from 'vitest';
import { readable, wrapped } from './print.ts';

const lines = (...text: string[]): string => text.join('\n');

describe('answers for people', () => {
  it('are a line for each field', () => {
    expect(readable({ task_id: 't1', completed: true, description: null })).toBe(
      lines('task id      t1', 'completed    yes', 'description  -'),
    );
  });

  it('are the content when that is all there is', () => {
    expect(readable({ issue: { id: 'i1', name: 'Fuel' } })).toBe(lines('id    i1', 'name  Fuel'));
  });

  it('show objects below their name', () => {
    const answer = { id: 'i1', state: { name: 'Todo', by: { kind: 'agent' } }, priority: 'low' };

    expect(readable(answer)).toBe(
      lines('id        i1', 'priority  low', '', 'state', '  name  Todo', '  by', '    kind  agent'),
    );
  });

  it('show texts one per line, and go on below where a text began', () => {
    const answer = { rules: ['Search first.', 'One\ntwo'], guide: 'a\nb' };

    expect(readable(answer)).toBe(
      lines('guide  a', '       b', '', 'rules', '  - Search first.', '  - One', '    two'),
    );
  });

  it('are a table for a list, with the other fields', () => {
    const answer = {
      tasks: [
        { id: 'a', title: 'Milk' },
        { id: 'bcd', title: 'Two\nlines' },
      ],
      next_cursor: 'c1',
    };

    expect(readable(answer)).toBe(lines('id   title', 'a    Milk', 'bcd  Two lines', '', 'next cursor  c1'));
  });

  it('give each of several tables its title', () => {
    const answer = {
      agent_id: 'a1',
      live_tokens: 1,
      grants: [{ scopes: ['x', 'y'], can: false }],
      tokens: [{ id: 't1' }],
    };

    expect(readable(answer)).toBe(
      lines(
        ...['agent id     a1', 'live tokens  1', ''],
        ...['grants', '  scopes  can', '  x, y    no', ''],
        ...['tokens', '  id', '  t1'],
      ),
    );
  });

  it.each([
    [{ id: 's1', name: 'Todo' }, 'Todo'],
    [{ id: 's1', group: 'started' }, 's1'],
    [{ group: 'started' }, '{"group":"started"}'],
    [[{ name: 'a' }, { name: 'b' }], 'a, b'],
    [[], 'none'],
  ])('show %j in a cell as %s', (state, cell) => {
    expect(readable({ issues: [{ state }] })).toBe(lines('state', cell));
  });

  it('show rows within rows whole', () => {
    const answer = { blocks: [{ type: 'checker', items: [{ id: 'i1', text: 'Fuel' }] }] };

    expect(readable(answer)).toBe(lines('type   checker', 'items', '  id  text', '  i1  Fuel'));
  });

  it('are records where a table has more than 8 columns', () => {
    const row = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 1]));

    const eight = readable({ rows: [row(...'abcdefgh')] });
    const nine = readable({ rows: [row(...'abcdefgh'), row('long', 'a')] });

    expect(eight.split('\n')).toHaveLength(2);
    expect(nine).toBe(lines(...[...'abcdefgh'].map((name) => `${name}     1`), '', 'long  1', 'a     1'));
  });

  it('are records where a table is wider than the terminal, which has 80 columns unless known', () => {
    const answer = { tasks: [{ id: 'ab', title: 'x'.repeat(76) }] };

    const fits = readable(answer);
    const wider = readable({ tasks: [{ id: 'abc', title: 'x'.repeat(76) }] });
    const inNarrow = readable(answer, 79);

    expect(fits).toMatch(/^id {2}title\n/);
    expect(wider).toMatch(/^id {5}abc\ntitle {2}x+$/);
    expect(inNarrow).toMatch(/^id {5}ab\n/);
  });

  it('say that a list is empty', () => {
    expect(readable({ tasks: [] })).toBe('no tasks');
    expect(readable({ id: 'i1', labels: [] })).toBe(lines('id      i1', 'labels  none'));
  });

  it.each([
    [{ title: 'a\u001b[2Jb\u009bc' }, 'title  a [2Jb c'],
    [{ state: [{ by: { name: '\u001b[2J' } }] }, 'by\n [2J'],
    [{ a: 1, rules: ['\u009b'] }, 'a  1\n\nrules\n  -'],
  ])('give a terminal no control characters: %j', (answer, shown) => {
    expect(readable(answer)).toBe(shown);
  });
});

describe('a long text', () => {
  it('[L-CLI] is broken between words, and a word that is longer than a line stays whole', () => {
    expect(wrapped('Set it to another one.\nhttp://127.0.0.1:8080/a then', 12)).toBe(
      lines('Set it to', 'another one.', 'http://127.0.0.1:8080/a', 'then'),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { MAX_DESCRIPTION_CHARACTERS } from '#domain/work-item';
import { MAX_IMPORTED_TASKS } from './imported-task.ts';
import { MAX_IMPORT_CHARACTERS, readImport } from './read-files.ts';

const numbers = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const thousand = Array.from({ length: 1_000 }, (_, id) => ({ id, title: 'a' }));
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const read = (text: string, path = '') => readImport([{ path, text }]);
const refs = ({ tasks }: ReturnType<typeof read>) =>
  tasks.map(({ ref, parent_ref, blocked_by }) => ({ ref, parent_ref, blocked_by }));

describe('a list in Markdown', () => {
  it('with the line ends of Windows is the same list', () => {
    const text = lines('Words', '- [ ] Paint', '  Two coats', '***', '* * *', '- [x] Buy');

    expect(read(text.replaceAll('\n', '\r\n'))).toEqual(read(text));
    expect(read(text).tasks).toMatchObject([{ title: 'Paint', description: 'Two coats' }, { title: 'Buy' }]);
  });

  it('has items that hold a sign that ends lines elsewhere, and cuts a description that is too long', () => {
    const plan = read(`- a\u2028b\n${'  word\n'.repeat(20_000)}`);

    expect(plan.tasks).toMatchObject([{ title: 'a b' }]);
    expect(plan.tasks[0]?.description).toHaveLength(MAX_DESCRIPTION_CHARACTERS);
  });

  it('has a task for each item, with what is below it', () => {
    const plan = read(
      lines(
        '# Release',
        'Some words.',
        '- [ ] Paint the shop',
        '  Two coats.',
        '',
        '  Green.',
        '  - [x] Buy paint',
        '    1. Ask the price',
        '* Open the doors',
        'After the list.',
        '+ [-] Sell the old sign',
      ),
    );

    expect(plan.formats).toEqual(['list']);
    expect(plan.tasks.map(({ title, status, line, description }) => [line, title, status, description])).toEqual([
      [3, 'Paint the shop', null, 'Two coats.\n\nGreen.'],
      [7, 'Buy paint', 'done', ''],
      [8, 'Ask the price', null, ''],
      [9, 'Open the doors', null, ''],
      [11, 'Sell the old sign', 'cancelled', ''],
    ]);
    expect(refs(plan).map(({ parent_ref }) => parent_ref)).toEqual([null, 'line 3', 'line 7', null, null]);
  });

  it('may be lines without marks, and takes no item from code', () => {
    expect(read(lines('# Today', 'Paint', '', 'Sweep')).tasks.map(({ title }) => title)).toEqual(['Paint', 'Sweep']);
    expect(read(lines('- Paint', '  ```', '  - not a task', '  ```')).tasks).toHaveLength(1);
  });

  it('keeps a title whole in the description where it is too long', () => {
    const title = 'x'.repeat(300);

    const [task] = read(`- ${title}`).tasks;

    expect(task?.title).toHaveLength(255);
    expect(task?.description).toBe(title);
  });
});

describe('a table', () => {
  it('is read by the names of its columns, with quoted cells', () => {
    const plan = read(
      lines(
        'Key;Summary;Status;Priority;Tags;Parent;Blocked by;Due;Description',
        'A-1;"Paint; twice";In Progress;High;"shop, paint";;;2026-12-01;"It ""peels"".',
        'Everywhere."',
        '',
        'A-2;Buy paint;Done;p3;;A-1;A-1;soon;',
      ),
      'list.csv',
    );

    expect(plan).toMatchObject({ formats: ['CSV'], faults: [], left_out: [] });
    expect(plan.tasks).toMatchObject([
      {
        ref: 'A-1',
        title: 'Paint; twice',
        status: 'In Progress',
        priority: 'high',
        labels: ['shop', 'paint'],
        target_date: '2026-12-01',
        description: 'It "peels".\nEverywhere.',
        line: 2,
      },
      { ref: 'A-2', priority: 'low', parent_ref: 'A-1', blocked_by: ['A-1'], target_date: null, line: 5 },
    ]);
  });

  it.each([
    ['no column for titles', 'a,b\n1,2\n', 1, 'The first line must name the columns'],
    ['a row without a title', 'title,status\nPaint,todo\n,todo\n', 3, 'This row has no title.'],
    ['a quote without an end', 'title\nPaint\n"Sweep\nand\n', 3, 'The quote that begins here never ends.'],
  ])('names the line of %s', (_, text, line, words) => {
    expect(read(text, 'list.csv').faults).toMatchObject([
      { file: 'list.csv', line, text: expect.stringContaining(words) },
    ]);
  });
});

describe('JSON', () => {
  it('of GitHub is issues, without pull requests', () => {
    const plan = read(
      JSON.stringify([
        { number: 7, title: 'Crash', body: 'It\r\nfails.', state: 'open', labels: [{ name: 'bug' }] },
        { number: 8, title: 'Old', state: 'CLOSED', stateReason: 'NOT_PLANNED', labels: ['wontfix'] },
        { number: 9, title: 'Fixed', state: 'closed', state_reason: 'completed' },
        { number: 10, title: 'Mend', state: 'open', pull_request: { url: 'x' } },
      ]),
    );

    expect(plan.formats).toEqual(['GitHub issues']);
    expect(plan.tasks).toMatchObject([
      { ref: '#7', description: 'It\nfails.', status: 'todo', labels: ['bug'] },
      { ref: '#8', status: 'cancelled' },
      { ref: '#9', status: 'done' },
    ]);
    expect(plan.left_out).toEqual([{ file: '', line: null, text: '#10 is a pull request.' }]);
  });

  it('of task-master is tasks and sub-tasks, which name their neighbours', () => {
    const plan = read(
      JSON.stringify({
        master: {
          tasks: [
            { id: 1, title: 'Plan', status: 'done', priority: 'high', details: 'All of it', dependencies: [] },
            {
              id: 2,
              title: 'Build',
              status: 'in-progress',
              dependencies: [1],
              subtasks: [
                { id: 1, title: 'Walls', status: 'pending' },
                { id: 2, title: 'Roof', testStrategy: 'Rain', dependencies: [1, '2.1'] },
              ],
            },
          ],
        },
      }),
    );

    expect(plan.formats).toEqual(['task-master']);
    expect(refs(plan)).toEqual([
      { ref: '1', parent_ref: null, blocked_by: [] },
      { ref: '2', parent_ref: null, blocked_by: ['1'] },
      { ref: '2.1', parent_ref: '2', blocked_by: [] },
      { ref: '2.2', parent_ref: '2', blocked_by: ['2.1'] },
    ]);
    expect(plan.tasks.map(({ description }) => description)).toEqual([
      'Details:\nAll of it',
      '',
      '',
      'How to test:\nRain',
    ]);
  });

  it('of task-master with tags keeps their names apart, each with a label', () => {
    const list = { tasks: [{ id: 1, title: 'Plan' }] };

    const plan = read(JSON.stringify({ web: list, app: list }));

    expect(plan.tasks.map(({ ref, labels }) => [ref, labels])).toEqual([
      ['web:1', ['web']],
      ['app:1', ['app']],
    ]);
  });

  it.each([
    ['broken', '[\n  {"number": 1,\n', 3, 'This is not JSON.'],
    ['of something else', '{"name": "x"}', 1, 'This JSON is none of these'],
    ['without a title', '[{"number": 1, "title": "a"}, {"number": 2}]', null, 'Issue 2 of the file, field title'],
  ])('that is %s is refused, with its place', (_, text, line, words) => {
    expect(read(text, 'a.json').faults).toMatchObject([{ file: 'a.json', line, text: expect.stringContaining(words) }]);
  });
});

describe('beads', () => {
  it('are lines of JSON with blockers and parents', () => {
    const plan = read(
      lines(
        JSON.stringify({ id: 'bd-1', title: 'Epic', status: 'open', priority: 0, issue_type: 'epic', labels: ['a'] }),
        JSON.stringify({
          id: 'bd-2',
          title: 'Part',
          description: 'Do it',
          acceptance_criteria: 'It works',
          status: 'in_progress',
          dependencies: [
            { issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'parent-child' },
            { issue_id: 'bd-2', depends_on_id: 'bd-3', type: 'blocks' },
            { issue_id: 'bd-2', depends_on_id: 'bd-3', type: 'related' },
          ],
        }),
        JSON.stringify({ id: 'bd-3', title: 'First', status: 'closed' }),
        JSON.stringify({ id: 'bd-4', title: 'Gone', status: 'tombstone' }),
      ),
      'issues.jsonl',
    );

    expect(plan.formats).toEqual(['beads']);
    expect(plan.tasks).toMatchObject([
      { ref: 'bd-1', priority: 'urgent', labels: ['a'], line: 1 },
      {
        ref: 'bd-2',
        parent_ref: 'bd-1',
        blocked_by: ['bd-3'],
        status: 'in_progress',
        description: 'Do it\n\nAcceptance criteria:\nIt works',
      },
      { ref: 'bd-3', status: 'closed', priority: 'none' },
    ]);
    expect(plan.left_out).toEqual([{ file: 'issues.jsonl', line: 4, text: 'bd-4 was deleted.' }]);
  });

  it('name the line that cannot be read', () => {
    const plan = read(lines(JSON.stringify({ id: 'bd-1', title: 'Epic' }), '{"id": "bd-2"}', '{'), 'issues.jsonl');

    expect(plan.faults).toMatchObject([
      { line: 2, text: expect.stringContaining('field title') },
      { line: 3, text: 'This is not JSON.' },
    ]);
  });
});

describe('Backlog.md', () => {
  const task = (...front: readonly string[]) =>
    lines('---', ...front, '---', '', '## Description', '<!-- SECTION:DESCRIPTION:BEGIN -->', 'Why.');

  it('has a task in each file', () => {
    const plan = readImport([
      {
        path: 'task-1 - Core.md',
        text: task(
          'id: TASK-1',
          "title: 'Core: the ''engine'''",
          'status: In Progress',
          'labels: [cli, "a b"]',
          'dependencies: []',
        ),
      },
      {
        path: 'task-1.1 - Part.md',
        text: task(
          'id: task-1.1',
          'title: >-',
          '  A long title',
          '  over two lines',
          'status: Done',
          'assignee:',
          "  - '@ana'",
          'labels:',
          '  - cli',
          'dependencies:',
          '  - task-1',
          'parent_task_id: task-1',
          'priority: high',
        ),
      },
    ]);

    expect(plan).toMatchObject({ formats: ['Backlog.md'], faults: [], left_out: [] });
    expect(plan.tasks).toMatchObject([
      { ref: 'task-1', title: "Core: the 'engine'", status: 'In Progress', labels: ['cli', 'a b'], blocked_by: [] },
      {
        ref: 'task-1.1',
        title: 'A long title over two lines',
        labels: ['cli'],
        parent_ref: 'task-1',
        blocked_by: ['task-1'],
        priority: 'high',
        description: '## Description\nWhy.',
      },
    ]);
  });
});

describe('an import', () => {
  it('keeps the lines of several lists apart', () => {
    const plan = readImport(['- a\n  - b', '- c'].map((text, at) => ({ path: `${at}.md`, text })));

    expect(refs(plan)).toMatchObject([
      { ref: 'file 1, line 1' },
      { ref: 'file 1, line 2', parent_ref: 'file 1, line 1' },
      { ref: 'file 2, line 1' },
    ]);
  });

  it('leaves names out that are in no file, and refuses circles and two tasks of one name', () => {
    const table = (...rows: readonly string[]) => read(lines('id,title,blocked by', ...rows), 'a.csv');

    expect(table('1,Paint,9')).toMatchObject({
      tasks: [{ blocked_by: [] }],
      left_out: [{ line: 2, text: '1 names 9, which is in no file.' }],
    });
    expect(table('1,Paint,2', '2,Buy,1').faults).toMatchObject([{ text: expect.stringContaining('closes a circle') }]);
    expect(table('1,Paint,', '1,Buy,').faults).toMatchObject([{ line: 3, text: '1 names two tasks.' }]);
  });

  it('takes words for nothing more than they say, and days that no calendar has for none', () => {
    const plan = read(
      lines('title,status,priority,due', 'a,constructor,constructor,2026-02-31', 'b,,__proto__,2026-02-28'),
    );

    expect(plan.tasks).toMatchObject([
      { priority: 'none', target_date: null },
      { priority: 'none', target_date: '2026-02-28' },
    ]);
  });

  it('has no text that a reader cannot see', () => {
    const item = { id: 'i', text: 'Two\u200b coats', checked: false };
    const blocks = [{ id: 'b', type: 'checker', title: 'Crit\u202eeria', items: [item] }];
    const detail_layout = { nodedc_structured_blocks: { version: 1, blocks } };
    const task = { key: 'A-1', title: 'Pa\u200bint', detail_layout };
    // As JSON escapes it, no check of the whole text sees it.
    const escaped = JSON.stringify({ errand_export: 1, tasks: [task] }).replaceAll(/[^ -~]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16)}`;
    });

    const [found] = read(escaped).tasks;

    expect(found?.title).toBe('Paint');
    expect(found?.layout?.nodedc_structured_blocks.blocks).toMatchObject([
      { title: 'Criteria', items: [{ text: 'Two coats' }] },
    ]);
  });

  it('is refused for a task without a title, with too long a name or too many blockers, with its place', () => {
    const table = (row: string, ...others: readonly string[]) => read(lines('id,title,blocked by', row, ...others));

    expect(table('1,\u200b,').faults).toMatchObject([{ line: 2, text: '1 has no title.' }]);
    expect(table(`${'n'.repeat(201)},a,`).faults).toMatchObject([{ text: expect.stringContaining('201 characters') }]);
    expect(table(`a,a,${numbers(51, String).replaceAll('\n', ';')}`).faults).toMatchObject([
      { line: 2, text: 'a waits for 51 tasks, and may wait for at most 50.' },
    ]);
  });

  it('is refused when it holds nothing, or more than one import may create', () => {
    const many = Array.from({ length: MAX_IMPORTED_TASKS + 1 }, (_, at) => `- ${at}`).join('\n');

    expect(read('\n \n').faults).toMatchObject([{ text: 'There is no task in it.' }]);
    expect(read(many).faults).toMatchObject([{ text: expect.stringContaining('more than 1000 tasks') }]);
  });
});

/** The most that an import reads of one thing. */
const full = (part: string, begin = '', end = ''): string =>
  begin + part.repeat((MAX_IMPORT_CHARACTERS - begin.length - end.length) / part.length) + end;

describe('a text of the greatest size', () => {
  it.each([
    ['lines of a description', full('  b\n', '- a\n')],
    ['lines of a field', full('b\n', '---\nid: 1\ntitle: a\n', '---\n')],
    ['lines without an item', full('a\n')],
    ['items', full('- a\n')],
    ['names of columns', full(',', 'title')],
    ['rows that name the next as parent', `id,title,parent\n${numbers(100_000, (at) => `${at},t,${at + 1}`)}`],
    ['lines of beads that are not JSON', full('{\n', '{"id":"1","title":"a"}\n')],
    ['issues that are none', full(',0', '[{"number":1,"title":"a"}', ']')],
    ['tasks below one long name', JSON.stringify({ [full('a').slice(40_000)]: { tasks: thousand }, b: { tasks: [] } })],
  ])('of %s is read in the time of its length, and answered in few words', (_, text) => {
    const plan = read(text);

    // A square of the length would take minutes here, and end the test.
    expect(plan.tasks.length).toBeLessThanOrEqual(1);
    expect(plan.faults.length).toBeLessThanOrEqual(51);
    expect(JSON.stringify(plan).length).toBeLessThan(120_000);
  });
});

import { expect } from 'vitest';
import { MESSAGES } from './database.ts';
import { ALICE, added, answered, BOB, type CallStep, call, of, refused, rows, type Scenario } from './scenario.ts';

const MORE = { remaining: 1, next_cursor: expect.any(String), hint: expect.stringMatching(/1 more/) };
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const EMOJI = '🦊';
const HOSTILE = `Robert'); DROP TABLE work_items;-- " \\ $1 ? %s \${x} <b>&amp;</b> {{7*7}}`;
const WORLD = 'Ærø 東京 שלום مرحبا 👩‍👩‍👧 é ﷽';

const task = (title: string, description: string | null = null, completed = false) => ({
  id: ID,
  title,
  description,
  completed,
});

/** The columns of the task that was kept under a name. */
const stored = (name: string, columns: Readonly<Record<string, unknown>>) =>
  rows(`select ${Object.keys(columns).join(', ')} from work_items where id = ?`, [of(name)], [columns]);
const nothingStored = rows('select id from work_items where owner_id = ?', [ALICE], []);

const FIVE_AND_THREE: readonly CallStep[] = [
  ...[1, 2, 3, 4, 5].map((n) => added(`open ${n}`)),
  ...[1, 2, 3].flatMap((n) => [added(`done ${n}`), call('complete_task', { task_id: of(`done ${n}`) })]),
];
const OPEN = [1, 2, 3, 4, 5].map((n) => task(`open ${n}`));
const DONE = [1, 2, 3].map((n) => task(`done ${n}`, null, true));

const NO_NULL = { 'command line': 'a flag carries text, never null' };
const NO_GAP = { 'command line': 'without --user-id it means the user of the token' };

/** The scenarios of the todo list, for every transport and database. */
export const SCENARIOS: readonly Scenario[] = [
  // Adding
  {
    cites: ['US1-1', 'FR-010', 'FR-013', 'FR-014', 'SC-003'],
    title: 'adds a task by its title',
    when: call(
      'add_task',
      { title: 'Buy groceries' },
      {
        keep: 'new',
        gives: { task_id: ID, status: 'created', title: 'Buy groceries' },
      },
    ),
    afterwards: [
      answered('list_tasks', {}, { tasks: [{ ...task('Buy groceries'), id: of('new') }] }),
      stored('new', { owner_id: ALICE, title: 'Buy groceries', description: null, completed_at: null }),
    ],
  },
  {
    cites: ['US1-2', 'FR-010', 'FR-004', 'FR-072'],
    title: 'keeps the description with the title',
    when: call('add_task', { title: 'Meeting prep', description: 'Review Q1 slides' }, { keep: 'new' }),
    afterwards: [stored('new', { title: 'Meeting prep', description: 'Review Q1 slides' })],
  },
  ...['', '   '].map(
    (title): Scenario => ({
      cites: ['US1-3', 'FR-005', 'FR-011'],
      title: `refuses the title ${JSON.stringify(title)}`,
      when: refused('add_task', { title }, 'VALIDATION_ERROR', /title.*1 to 200 characters/),
      afterwards: [nothingStored],
    }),
  ),
  {
    cites: ['FR-011', 'FR-012', 'EDGE-4'],
    title: 'counts 200 emoji as 200 characters',
    when: call('add_task', { title: EMOJI.repeat(200), description: EMOJI.repeat(1000) }, { keep: 'new' }),
    afterwards: [stored('new', { title: EMOJI.repeat(200), description: EMOJI.repeat(1000) })],
  },
  {
    cites: ['FR-011'],
    title: 'refuses a title of 201 characters',
    when: refused('add_task', { title: EMOJI.repeat(201) }, 'VALIDATION_ERROR', /title.*201/),
    afterwards: [nothingStored],
  },
  {
    cites: ['FR-012'],
    title: 'refuses a description of 1001 characters',
    when: refused('add_task', { title: 'x', description: 'x'.repeat(1001) }, 'VALIDATION_ERROR', /description.*1001/),
    afterwards: [nothingStored],
  },
  ...[HOSTILE, WORLD].map(
    (title): Scenario => ({
      cites: ['EDGE-4', 'FR-062'],
      title: `gives ${title.slice(0, 12)}… back as it was sent`,
      when: answered('add_task', { title, description: title }, { task_id: ID, status: 'created', title }),
      afterwards: [answered('list_tasks', {}, { tasks: [task(title, title)] })],
    }),
  ),

  // Listing
  {
    cites: ['US2-1', 'FR-020', 'FR-023'],
    title: 'lists all tasks',
    given: FIVE_AND_THREE,
    when: answered('list_tasks', { status: 'all' }, { tasks: [...OPEN, ...DONE] }),
  },
  {
    cites: ['US2-2', 'FR-020'],
    title: 'lists pending tasks alone',
    given: FIVE_AND_THREE,
    when: answered('list_tasks', { status: 'pending' }, { tasks: OPEN }),
  },
  {
    cites: ['FR-020', 'FR-021'],
    title: 'lists completed tasks alone, and everything without a status',
    given: FIVE_AND_THREE,
    when: [
      answered('list_tasks', { status: 'completed' }, { tasks: DONE }),
      answered('list_tasks', {}, { tasks: [...OPEN, ...DONE] }),
    ],
  },
  {
    cites: ['US2-3', 'FR-024'],
    title: 'gives an empty list to a user without tasks',
    when: answered('list_tasks', {}, { tasks: [] }),
  },
  {
    cites: ['US2-4', 'FR-022', 'FR-061'],
    title: 'lists the tasks of the named user only',
    given: [added('of Alice'), added('of Bob', { user_id: BOB })],
    when: answered('list_tasks', {}, { tasks: [task('of Alice')] }),
  },
  {
    cites: ['FR-020', 'FR-005'],
    title: 'refuses a status that does not exist',
    when: refused('list_tasks', { status: 'open' }, 'VALIDATION_ERROR', /status.*all.*pending.*completed/),
  },
  {
    cites: ['FR-020', 'FR-003'],
    title: 'lists a long list in pages',
    given: [
      added('one'),
      added('two'),
      added('three'),
      call(
        'list_tasks',
        { limit: 2 },
        {
          keep: 'page',
          gives: { tasks: [task('one'), task('two')], total: 3, ...MORE },
        },
      ),
    ],
    when: answered('list_tasks', { limit: 2, cursor: of('page', 'next_cursor') }, { tasks: [task('three')] }),
  },
  {
    cites: ['FR-061', 'SC-004'],
    title: 'refuses a cursor that is made up, and one of another list',
    given: [
      added('one', { user_id: BOB }),
      added('two', { user_id: BOB }),
      call('list_tasks', { user_id: BOB, limit: 1 }, { keep: 'page' }),
    ],
    when: [
      refused('list_tasks', { cursor: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA' }, 'VALIDATION_ERROR', /cursor/),
      refused('list_tasks', { cursor: of('page', 'next_cursor') }, 'VALIDATION_ERROR', /cursor/),
    ],
  },

  // Completing
  {
    cites: ['US3-1', 'FR-030', 'FR-031', 'FR-033'],
    title: 'completes a pending task',
    given: [added('milk')],
    when: answered(
      'complete_task',
      { task_id: of('milk') },
      { task_id: of('milk'), title: 'milk', status: 'completed', completed: true },
    ),
    afterwards: [answered('list_tasks', { status: 'completed' }, { tasks: [task('milk', null, true)] })],
  },
  {
    cites: ['US3-2', 'FR-031', 'FR-033'],
    title: 'makes a completed task pending again',
    given: [added('milk'), call('complete_task', { task_id: of('milk') })],
    when: answered(
      'complete_task',
      { task_id: of('milk') },
      { task_id: of('milk'), title: 'milk', status: 'pending', completed: false },
    ),
    afterwards: [answered('list_tasks', { status: 'pending' }, { tasks: [task('milk')] })],
  },
  {
    cites: ['FR-031', 'FR-033'],
    title: 'sets instead of toggling when completed is given',
    given: [added('milk'), call('complete_task', { task_id: of('milk') })],
    when: answered(
      'complete_task',
      { task_id: of('milk'), completed: true },
      { task_id: of('milk'), title: 'milk', status: 'completed', completed: true },
    ),
    afterwards: [
      answered(
        'complete_task',
        { task_id: of('milk'), completed: false },
        { task_id: of('milk'), title: 'milk', status: 'pending', completed: false },
      ),
    ],
  },
  {
    cites: ['US3-3'],
    title: 'does not find an unknown task to complete',
    when: refused('complete_task', { task_id: UNKNOWN }, 'TASK_NOT_FOUND'),
  },
  {
    cites: ['US3-4', 'FR-032', 'FR-061', 'SC-004'],
    title: 'does not complete a task of another user',
    given: [added('secret', { user_id: BOB })],
    when: refused('complete_task', { task_id: of('secret') }, 'UNAUTHORIZED'),
    afterwards: [answered('list_tasks', { user_id: BOB }, { tasks: [task('secret')] })],
  },

  // Deleting
  {
    cites: ['US4-1', 'FR-040', 'FR-041', 'FR-043'],
    title: 'deletes a task for good',
    given: [added('milk'), added('bread')],
    when: answered('delete_task', { task_id: of('milk') }, { task_id: of('milk'), title: 'milk', status: 'deleted' }),
    afterwards: [
      answered('list_tasks', {}, { tasks: [task('bread')] }),
      rows('select id from work_items where id = ?', [of('milk')], []),
    ],
  },
  {
    cites: ['US4-2'],
    title: 'does not find an unknown task to delete',
    when: refused('delete_task', { task_id: UNKNOWN }, 'TASK_NOT_FOUND'),
  },
  {
    cites: ['US4-3', 'FR-042', 'FR-061', 'SC-004'],
    title: 'does not delete a task of another user',
    given: [added('secret', { user_id: BOB })],
    when: refused('delete_task', { task_id: of('secret') }, 'UNAUTHORIZED'),
    afterwards: [answered('list_tasks', { user_id: BOB }, { tasks: [task('secret')] })],
  },

  // Updating
  {
    cites: ['US5-1', 'FR-050', 'FR-054'],
    title: 'changes the title and leaves the rest',
    given: [added('Meeting', { description: 'Room 4' })],
    when: answered(
      'update_task',
      { task_id: of('Meeting'), title: 'Team Meeting' },
      {
        task_id: of('Meeting'),
        status: 'updated',
        title: 'Team Meeting',
        description: 'Room 4',
        completed: false,
      },
    ),
    afterwards: [answered('list_tasks', {}, { tasks: [task('Team Meeting', 'Room 4')] })],
  },
  {
    cites: ['US5-2', 'FR-050', 'FR-054'],
    title: 'adds a description',
    given: [added('Meeting')],
    when: call('update_task', { task_id: of('Meeting'), description: 'Review agenda' }),
    afterwards: [answered('list_tasks', {}, { tasks: [task('Meeting', 'Review agenda')] })],
  },
  {
    cites: ['US5-3', 'FR-051'],
    title: 'refuses an update that changes nothing',
    given: [added('Meeting')],
    when: refused('update_task', { task_id: of('Meeting') }, 'VALIDATION_ERROR', /no changes/i),
  },
  {
    cites: ['FR-052', 'FR-011', 'FR-012'],
    title: 'holds an update to the rules of a new task',
    given: [added('Meeting')],
    when: [
      refused('update_task', { task_id: of('Meeting'), title: '' }, 'VALIDATION_ERROR', /title/),
      refused(
        'update_task',
        { task_id: of('Meeting'), description: 'x'.repeat(1001) },
        'VALIDATION_ERROR',
        /description/,
      ),
    ],
    afterwards: [answered('list_tasks', {}, { tasks: [task('Meeting')] })],
  },
  {
    cites: ['US5-4', 'FR-053', 'FR-061', 'SC-004'],
    title: 'does not update a task of another user',
    given: [added('secret', { user_id: BOB })],
    when: refused('update_task', { task_id: of('secret'), title: 'mine' }, 'UNAUTHORIZED'),
    afterwards: [answered('list_tasks', { user_id: BOB }, { tasks: [task('secret')] })],
  },
  {
    cites: ['EDGE-3'],
    title: 'leaves a task as one of two writers wrote it',
    given: [added('shared')],
    when: ['left', 'right'].map((text) =>
      answered(
        'update_task',
        { task_id: of('shared'), title: text, description: text },
        { task_id: of('shared'), status: 'updated', title: text, description: text, completed: false },
      ),
    ),
    afterwards: [
      rows(
        'select count(*) as whole from work_items where id = ? and title = description and version = 3',
        [of('shared')],
        [{ whole: 1 }],
      ),
    ],
  },

  // Who is named
  ...(
    [
      ['null', null, NO_NULL],
      ['empty', '', {}],
      ['missing', undefined, NO_GAP],
    ] as const
  ).map(
    ([name, user_id, not_over]): Scenario => ({
      cites: ['EDGE-5', 'FR-060'],
      title: `refuses a user id that is ${name}`,
      when: refused('add_task', { user_id, title: 'x' }, 'VALIDATION_ERROR', /user_id/),
      not_over,
    }),
  ),
  {
    cites: ['FR-060'],
    title: 'refuses an unknown user id',
    when: refused('list_tasks', { user_id: UNKNOWN }, 'UNAUTHORIZED'),
  },
  {
    cites: ['FR-014'],
    title: 'knows the owner of a personal token as "me"',
    when: call('add_task', { user_id: 'me', title: 'mine' }, { as: 'alice' }),
    afterwards: [call('list_tasks', {}, { as: 'alice', gives: { tasks: [task('mine')] } })],
  },
  {
    cites: ['FR-061', 'SC-004'],
    title: 'lets a personal token speak for its owner only',
    given: [added('secret', { user_id: BOB })],
    when: [
      refused('list_tasks', { user_id: BOB }, 'UNAUTHORIZED', /\w/, 'alice'),
      refused('add_task', { user_id: BOB, title: 'x' }, 'UNAUTHORIZED', /\w/, 'alice'),
      refused('delete_task', { user_id: BOB, task_id: of('secret') }, 'UNAUTHORIZED', /\w/, 'alice'),
    ],
    afterwards: [answered('list_tasks', { user_id: BOB }, { tasks: [task('secret')] })],
  },
  {
    cites: ['FR-061', 'SC-004'],
    title: 'lets a service token speak for the users that it lists only',
    when: [
      call('list_tasks', {}, { as: 'service of alice', gives: { tasks: [] } }),
      refused('list_tasks', { user_id: BOB }, 'UNAUTHORIZED', /\w/, 'service of alice'),
    ],
  },

  // Once
  {
    cites: ['SC-003', 'FR-003'],
    title: 'answers a repeated key as the first time, and adds one task',
    given: [call('add_task', { title: 'once', idempotency_key: of('alice', 'user_id') }, { keep: 'first' })],
    when: answered(
      'add_task',
      { title: 'once', idempotency_key: of('alice', 'user_id') },
      { task_id: of('first'), status: 'created', title: 'once' },
    ),
    afterwards: [rows('select count(*) as n from work_items where owner_id = ?', [ALICE], [{ n: 1 }])],
  },
  {
    cites: ['SC-003', 'SC-002'],
    title: 'adds one task for many calls with one key at once',
    when: Array.from({ length: 4 }, () => call('add_task', { title: 'once', idempotency_key: of('alice', 'user_id') })),
    afterwards: [rows('select count(*) as n from work_items where owner_id = ?', [ALICE], [{ n: 1 }])],
  },
  {
    cites: ['FR-005'],
    title: 'refuses a key that was used for something else',
    given: [call('add_task', { title: 'first', idempotency_key: of('alice', 'user_id') })],
    when: refused('add_task', { title: 'second', idempotency_key: of('alice', 'user_id') }, 'idempotency_key_conflict'),
    afterwards: [answered('list_tasks', {}, { tasks: [task('first')] })],
  },

  {
    cites: ['FR-070', 'FR-071'],
    title: 'keeps calls as messages of one conversation of the user',
    given: [added('milk')],
    when: call('list_tasks', {}),
    afterwards: [
      rows(
        `select role from ${MESSAGES} where user_id = ? order by id, role desc`,
        [ALICE],
        ['user', 'assistant', 'user', 'assistant'].map((role) => ({ role })),
      ),
      rows('select count(*) as n from conversations where user_id = ?', [ALICE], [{ n: 1 }]),
    ],
  },
];

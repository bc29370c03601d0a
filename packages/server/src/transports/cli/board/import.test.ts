import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aBoard } from '#testing/attempts';
import { createBoardTerminal } from '#testing/board-terminal';
import { createWorld } from '#testing/world';

async function aPlace(files: Readonly<Record<string, string>>, scene: Parameters<typeof createBoardTerminal>[1] = {}) {
  const world = await createWorld();
  await aBoard(world);
  const folder = mkdtempSync(join(tmpdir(), 'errand-import-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const titles = async (): Promise<readonly string[]> =>
    ((await world.ask('list_tasks', { project_id: 'SHO' })).tasks as { title: string }[]).map(({ title }) => title);
  return {
    world,
    titles,
    at: (name = '') => join(folder, name),
    ...createBoardTerminal(world, scene),
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true });
      await world[Symbol.asyncDispose]();
    },
  };
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('errand export', () => {
  it('prints what an import makes the same board of, in another project', async () => {
    await using place = await aPlace({});
    const { world } = place;
    await world.ask('admin_add_label', { project_id: 'SHO', name: 'bug' });
    const table =
      'id,title,status,priority,labels,parent,blocked by,due,description\na,Paint,done,high,bug,,b,2026-12-01,Why\nb,Buy,Review,,,a,,,\n';
    await world.ask('import_tasks', { project_id: 'SHO', files: [{ path: '', text: table }] });
    await world.ask('tasker_update_structured_blocks', {
      issue_id: 'SHO-2',
      idempotency_key: 'blocks',
      action: 'append_checker',
      title: 'Criteria',
      items: ['Two coats'],
    });
    const { project_id: other } = await world.ask('admin_add_project', { key: 'NEW', name: 'New' });
    await world.ask('admin_add_label', { project_id: other, name: 'bug' });
    const exported = async (project: string) => {
      const { tasks } = await place.json('export', '--project', project);
      return (tasks as { key: string }[]).toSorted((one, next) => one.key.localeCompare(next.key));
    };

    const before = await exported('SHO');
    writeFileSync(place.at('all.json'), (await place.type('export', '--project', 'SHO')).out);
    await place.type('import', place.at('all.json'), '--project', 'NEW');

    const after = await exported('NEW');
    expect(before).toHaveLength(3);
    expect(before[1]).toMatchObject({
      title: 'Paint',
      status: 'done',
      labels: ['bug'],
      blocked_by: ['SHO-3'],
      target_date: '2026-12-01',
      detail_layout: { nodedc_structured_blocks: { blocks: [{ title: 'Criteria' }] } },
    });
    const names = new Map(before.map(({ key, ...task }) => [(task as unknown as { title: string }).title, key]));
    const renamed = after.map(({ key, ...task }) => [key, names.get((task as unknown as { title: string }).title)]);
    const text = renamed.reduce((all, [now, was]) => all.replaceAll(`"${now}"`, `"${was}"`), JSON.stringify(after));
    expect((JSON.parse(text) as { key: string }[]).toSorted((one, next) => one.key.localeCompare(next.key))).toEqual(
      before,
    );
  });
});

describe('errand export --format md', () => {
  it('prints a task and what happened to it, the oldest first, in which no text passes for another part', async () => {
    await using place = await aPlace({});
    const { world } = place;
    const description = 'The *green* one.';
    const made = await world.ask('create_task', { project_id: 'SHO', title: 'Paint\n# the <b>shop</b>', description });
    const task_id = String(made.task_id);
    await world.ask('tasker_append_comment', {
      issue_id: task_id,
      idempotency_key: 'said',
      comment_html: '<p>Mind the &lt;door&gt;</p><p># Done</p>',
    });
    const { approval_id } = await world.ask('ask_person', { task_id, question: 'Which green?', wait_ms: 0 });
    await world.ask('respond_approval', { approval_id, answer: 'Dark' });

    const { out } = await place.type('export', 'SHO-2', '--format', 'md');
    const { markdown } = await place.json('export', '--project', 'SHO', '--format', 'md');

    const said = out.replaceAll(/[-0-9]{10} [0-9]{2}:[0-9]{2} UTC/g, 'TIME').replaceAll(/\*\*[^*]+\*\*/g, 'WHO');
    expect(said).toBe(
      lines(
        '# SHO-2 Paint \\# the \\<b\\>shop\\</b\\>',
        '',
        'todo, priority none',
        '',
        'The *green* one.',
        '',
        '## What happened',
        '',
        '- TIME: WHO called create\\_task',
        '',
        '- TIME: WHO wrote',
        '',
        '  > Mind the \\<door>',
        '  > # Done',
        '',
        '- TIME: WHO asked',
        '',
        '  > Which green?',
        '',
        '  WHO answered:',
        '',
        '  > Dark',
      ),
    );
    expect(String(markdown).match(/^# SHO-\d+ /gm)).toHaveLength(2);
    await expect(place.type('export', '--format', 'pdf')).rejects.toThrow('--format is json or md.');
  });

  it('prints one task as JSON too', async () => {
    await using place = await aPlace({});

    const { tasks } = await place.json('export', 'SHO-1');

    expect(tasks).toMatchObject([{ key: 'SHO-1', title: 'Fix the login' }]);
  });
});

describe('errand import', () => {
  it('shows a table of what will happen, then creates the tasks', async () => {
    await using place = await aPlace({ 'list.md': lines('- [ ] Paint the shop', '  - [x] Buy paint') });

    const { code, out } = await place.type('import', place.at('list.md'), '--project', 'SHO');

    expect(code).toBe(0);
    expect(out).toBe(
      lines(
        '2 tasks of list for Shop (SHO)',
        '',
        'ref     column  priority  below   title',
        'line 1  Todo                      Paint the shop',
        'line 2  Done              line 1  Buy paint',
        '',
        'Imported 2 tasks: SHO-2 to SHO-3.',
      ),
    );
    expect(await place.titles()).toEqual(expect.arrayContaining(['Paint the shop', 'Buy paint']));
  });

  it('adds nothing when the same file is imported again, by whatever path, and says so', async () => {
    await using place = await aPlace({ 'list.md': '- Paint\n' });

    await place.type('import', place.at('list.md'), '--project', 'SHO');
    const before = await place.titles();
    const { out } = await place.type('import', relative(process.cwd(), place.at('list.md')), '--project', 'SHO');
    const { tasks } = await place.json('import', place.at('list.md'), '--project', 'SHO');

    expect(before).toHaveLength(2);
    expect(await place.titles()).toEqual(before);
    expect(out).toMatch(/You imported these files at \S+Z: within a day nothing is added again\.\n$/);
    expect(out).not.toContain('Imported 1 task');
    expect(tasks).toHaveLength(1);
  });

  it('only shows in a dry run, and answers a script with everything', async () => {
    await using place = await aPlace({ 'list.csv': 'title,labels\nPaint,shop\n' });
    const file = place.at('list.csv');

    const { out } = await place.type('import', file, '--project', 'SHO', '--dry-run');
    const answer = await place.json('import', file, '--project', 'SHO', '--dry-run');

    expect(out).toContain('Nothing was created: this was a dry run.');
    expect(out).toContain(`  ${file}:2: The project has no label "shop": it is left out.`);
    expect(answer).toMatchObject({ plan: { formats: ['CSV'], tasks: [{ title: 'Paint' }] }, tasks: [] });
    expect(await place.titles()).toHaveLength(1);
  });

  it('reads the tasks of a folder where its program keeps them', async () => {
    const task = (id: string, title: string) => lines('---', `id: ${id}`, `title: ${title}`, 'status: To Do', '---');
    await using place = await aPlace({
      'backlog/tasks/task-2 - Two.md': task('task-2', 'Two'),
      'backlog/tasks/task-10 - Ten.md': task('task-10', 'Ten'),
      'backlog/completed/task-1 - One.md': task('task-1', 'One'),
      'backlog/docs/notes.md': '- no task\n',
      'README.md': '- no task either\n',
    });

    const { plan } = await place.json('import', place.at(), '--project', 'SHO', '--dry-run');

    const { formats, tasks } = plan as { formats: string[]; tasks: { title: string }[] };
    expect(formats).toEqual(['Backlog.md']);
    expect(tasks.map(({ title }) => title)).toEqual(['Two', 'Ten', 'One']);
  });

  it('names file and line of what it cannot read, and creates nothing', async () => {
    await using place = await aPlace({ 'issues.jsonl': lines('{"id":"bd-1","title":"One"}', '{"id":"bd-2"}') });
    const file = place.at('issues.jsonl');

    const { code, out, remarks } = await place.type('import', file, '--project', 'SHO');

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(remarks).toContain(`${file}:2: Not an issue of beads, field title`);
    expect(remarks).toContain('Nothing was imported.');
    expect(await place.titles()).toHaveLength(1);
  });

  it('refuses what is no text, and what is not there', async () => {
    await using place = await aPlace({ 'empty/x.png': 'x' });
    writeFileSync(place.at('list.md'), Buffer.from([0x2d, 0x20, 0xff, 0xfe]));

    await expect(place.type('import', place.at('list.md'), '--project', 'SHO')).rejects.toThrow('is not text in UTF-8');
    await expect(place.type('import', place.at('none'), '--project', 'SHO')).rejects.toThrow('There is no file');
    await expect(place.type('import', place.at('empty'), '--project', 'SHO')).rejects.toThrow('holds no file of tasks');
  });

  it('reads the list of task-master or beads, and not the texts beside it', async () => {
    await using place = await aPlace({
      'tasks/tasks.json': JSON.stringify({ tasks: [{ id: 1, title: 'One' }] }),
      'tasks/task_001.txt': 'One again\n',
      'old/.beads/beads.jsonl': '{"id":"bd-1","title":"Two"}\n',
      'old/.beads/metadata.json': '{}\n',
    });
    const titlesIn = async (name: string) => {
      const { plan } = await place.json('import', place.at(name), '--project', 'SHO', '--dry-run');
      return (plan as { tasks: { title: string }[] }).tasks.map(({ title }) => title);
    };

    expect(await titlesIn('')).toEqual(['One']);
    expect(await titlesIn('tasks')).toEqual(['One']);
    expect(await titlesIn('old')).toEqual(['Two']);
    expect(await titlesIn('old/.beads')).toEqual(['Two']);
  });

  it('names the files of one name by their paths', async () => {
    await using place = await aPlace({ 'a/list.csv': 'title\n"', 'b/list.csv': 'title\nx\n' });

    const { remarks } = await place.type('import', place.at('a/list.csv'), place.at('b/list.csv'), '--project', 'SHO');

    expect(remarks).toContain(`${place.at('a/list.csv')}:2: The quote that begins here never ends.`);
  });

  it('refuses what never ends, what is too much, and what may not be read, with its name', async () => {
    await using place = await aPlace({});
    for (let at = 0; at < 1_001; at += 1) writeFileSync(place.at(`${at}.md`), '');
    mkdirSync(place.at('big'));
    writeFileSync(place.at('big/1.md'), 'a'.repeat(1_500_000));
    writeFileSync(place.at('big/2.md'), 'a'.repeat(1_500_000));
    // The system refuses to list a device, as it refuses a file that the person may not read.
    mkdirSync(place.at('odd/backlog'), { recursive: true });
    symlinkSync('/dev/null', place.at('odd/backlog/tasks'));

    const refused = (name: string) => expect(place.type('import', name, '--project', 'SHO')).rejects;
    await refused('/dev/zero').toThrow('/dev/zero is larger than 8 MiB');
    await refused(place.at()).toThrow('These are 1001 files; an import reads at most 1000.');
    await refused(place.at('big')).toThrow('these are more than 2000000 characters');
    await refused(place.at('odd')).toThrow(/odd cannot be read: ENOTDIR/);
  });

  it.each([
    ['y', 2],
    ['n', 1],
  ])('asks at a terminal, and takes %s', async (typed, count) => {
    const answers = [null, typed];
    const listen = () => ({ take: () => answers.shift() ?? null, close: () => undefined });
    await using place = await aPlace({ 'list.md': '- Paint\n' }, { is_terminal: true, listen });

    const { out } = await place.type('import', place.at('list.md'), '--project', 'SHO');

    expect(out).toContain('Create 1 task? [y/N]');
    expect(await place.titles()).toHaveLength(count);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalog } from '#tools/catalog';
import { type Actions, createProgram, everyCommand, runProgram, withDefault } from './program.ts';

type Command = ReturnType<typeof createProgram>;

const done = async (): Promise<void> => {};

/** Runs a command line. Returns the called tool and its arguments. */
async function type(...words: string[]) {
  const calls: { tool: string; input: Record<string, unknown>; json: boolean | undefined }[] = [];
  const actions: Actions = {
    serve: done,
    mcp: done,
    worker: done,
    board: done,
    open: done,
    connect: done,
    step: done,
    login: done,
    logout: done,
    migrate: done,
    doctor: done,
    runTool: async (tool, input, { json }) => void calls.push({ tool: tool.full_name, input, json }),
  };
  const program = createProgram(catalog, '1.2.3', actions, words);
  const said: string[] = [];
  const quiet = { writeOut: (text: string) => said.push(text), writeErr: (text: string) => said.push(text) };
  for (const command of everyCommand(program)) command.configureOutput(quiet);
  const code = await runProgram(program, withDefault(words));
  return { code, call: calls[0], said: said.join('') };
}

describe('the command line', () => {
  it('has a command for every tool', async () => {
    for (const tool of catalog) {
      const words = tool.cli?.command.split(' ') ?? [tool.profile, tool.name.replaceAll('_', '-')];
      expect((await type(...words, '--help')).said).toContain(tool.description.slice(0, 40));
    }
  });

  it('reads fields from flags, and takes the person as the default user', async () => {
    const { call } = await type('todo', 'list-tasks', '--status', 'pending', '--limit', '5', '--json');

    expect(call).toEqual({
      tool: 'todo_list_tasks',
      input: { user_id: 'me', status: 'pending', limit: 5 },
      json: true,
    });
  });

  it.each([
    [['--completed'], true],
    [['--completed=false'], false],
    [['--completed', 'false'], false],
    [['--no-completed'], false],
    [[], undefined],
  ])('reads a yes or no from %j', async (flags, completed) => {
    const { call } = await type('todo', 'complete-task', '--task-id', 't1', ...flags);

    const { completed: read } = call?.input ?? {};
    expect(read).toBe(completed);
  });

  it('accepts positional words, other names for flags, and lists', async () => {
    const { call } = await type(
      ...['agent', 'create', 'Robo', '--owner', 'u1', '--project', 'p1,p2'],
      ...['--scopes', 'todo:read,todo:write', '--can-complete', '--expires', '30d'],
    );

    expect(call).toMatchObject({
      tool: 'admin_create_agent',
      input: {
        name: 'Robo',
        owner_id: 'u1',
        project_ids: ['p1', 'p2'],
        scopes: ['todo:read', 'todo:write'],
        can_complete: true,
        expires_in: '30d',
      },
    });
  });

  it('passes text that begins with a dash, or is empty, to the tool', async () => {
    const { call } = await type('todo', 'add-task', '--title', '-5 degrees', '--description', '');

    expect(call?.input).toMatchObject({ title: '-5 degrees', description: '' });
  });

  it('reads a file where a field is one, and says so when it cannot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errand-cli-'));
    writeFileSync(join(folder, 'guide.md'), '# Cards');

    const { call } = await type('project', 'add', 'Site', '--card-guide', join(folder, 'guide.md'));
    const missing = type('project', 'add', 'Site', '--card-guide', join(folder, 'nothing.md'));

    expect(call?.input).toEqual({ name: 'Site', card_guide: '# Cards' });
    await expect(missing).rejects.toMatchObject({ code: 'validation_error' });
    rmSync(folder, { recursive: true });
  });

  it('leaves the profile out of names that contain it, and accepts the whole name too', async () => {
    const short = await type('tasker', 'search-issues', '--query', 'x');
    const whole = await type('tasker', 'tasker-search-issues', '--query', 'x');
    const prefixed = await type('todo', 'todo-list-tasks');
    const asTool = await type('tasker', 'tasker_search_issues', '--query', 'x');

    expect(short.call).toMatchObject({ input: { query: 'x' } });
    expect(whole.call).toEqual(short.call);
    expect(asTool.call).toEqual(short.call);
    expect(prefixed.call).toMatchObject({ tool: 'todo_list_tasks' });
  });

  it('makes paths absolute', async () => {
    const { call } = await type('repo', 'add', '.', '--project', 'p1');

    expect(call?.input).toEqual({ path: resolve('.'), project_id: 'p1' });
  });

  it.each([
    [['frobnicate']],
    [['todo', 'frobnicate']],
    [['todo', 'add-task', '--nope', 'x']],
    [['user', 'add']],
    [['user', 'block']],
  ])('ends %j with exit code 2', async (words) => {
    const { code, call, said } = await type(...words);

    expect(code).toBe(2);
    expect(call).toBeUndefined();
    expect(said).toMatch(/^errand: /);
  });

  it.each([
    [['frobnicate'], '(errand --help shows its commands)'],
    [['todo', 'frobnicate'], '(errand todo --help shows its commands)'],
    [['todo', 'add-task', '--titel', 'x'], '(errand todo add-task --help shows what it takes)'],
  ])('answers %j with where to read on', async (words, hint) => {
    expect((await type(...words)).said).toContain(hint);
  });

  it.each([
    [['serv'], 'Did you mean errand serve?'],
    [['tdoo'], 'Did you mean errand todo?'],
    [['help', 'tdoo'], 'Did you mean errand todo?'],
    [['help', 'nope'], null],
    [['todo', 'add-taks'], 'Did you mean errand todo add-task?'],
    [['todo', 'ad-task'], 'Did you mean errand todo add-task?'],
    [['merge'], null],
    [['todo', 'add-task', '--titel', 'x'], 'Did you mean --title?'],
  ])('suggests for %j what differs by a letter or by two swapped ones: %s', async (words, suggestion) => {
    const { said } = await type(...words);

    expect(/Did you mean [^?]*\?/.exec(said)?.[0] ?? null).toBe(suggestion);
  });

  it('reports a wrong command line to a script in JSON', async () => {
    const { said } = await type('todo', 'frobnicate', '--json');

    expect(JSON.parse(said)).toEqual({
      error: { code: 'usage', message: "unknown command 'frobnicate'", retryable: false },
    });
  });

  it('shows one name of each command', async () => {
    const { said } = await type('tasker', '--help');

    expect(said).toMatch(/^ {2}get-issue +Get an issue$/m);
    expect(said).not.toContain('tasker-');
  });

  it('lists the values that a list takes', async () => {
    const { said } = await type('agent', 'create', '--help');

    expect(said).toMatch(/--scopes <a,b> .*Any of:[^.]*issue:comment,[^.]*todo:write[^.]*\.\s+\(required\)/s);
  });

  it('keeps long values out of the column of flags', async () => {
    const { said } = await type('tasker', 'update-structured-blocks', '--help');

    expect(said).toMatch(/--action <text> .*One of:\s+append_text_block,/s);
    expect(said).toMatch(/--checked \[true\|false\] {2,9}\S/);
  });

  it('says how to type texts with commas, and accepts them so', async () => {
    const command = ['tasker', 'update-structured-blocks'];

    const { said } = await type(...command, '--help');
    const { call } = await type(...command, '--items', '["a, b","c"]');

    expect(said).toMatch(/--items <a,b> .*as\s+JSON:\s+'\["a, b","c"\]'/s);
    expect(call?.input).toEqual({ items: ['a, b', 'c'] });
  });

  it('[L-CLI] prints help that fits on a terminal of 80 columns', async () => {
    const paths = [[], ['task'], ['review'], ['run'], ['follow-up'], ['doctor'], ['project'], ['token', 'create']];

    for (const words of paths) {
      const { said } = await type(...words, '--help');
      expect(said.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('names every command under a heading of its own', async () => {
    const { said } = await type('--help');

    const [, tools = ''] = /Every tool, by profile:\n(.*?)\n\n/s.exec(said) ?? [];
    expect(tools.match(/^ {2}\w+/gm)?.map((name) => name.trim())).toEqual(['todo', 'tasker', 'board', 'executions']);
  });

  it('prints its version and its commands', async () => {
    expect(await type('--version')).toMatchObject({ code: 0, said: '1.2.3\n' });
    expect((await type('--help')).said).toContain('Exit codes:\n  0 ok');
  });

  it.each([
    [[], ['serve']],
    [
      ['--port', '0'],
      ['serve', '--port', '0'],
    ],
    [['--help'], ['--help']],
    [['mcp'], ['mcp']],
  ])('reads %j as %j', (typed, meant) => {
    expect(withDefault(typed)).toEqual(meant);
  });
});

describe('a program of the typed words alone', () => {
  const pathOf = (command: Command): string[] =>
    command.parent === null ? [] : [...pathOf(command.parent), command.name()];
  const at = (program: Command, path: readonly string[]): Command | undefined =>
    path.reduce<Command | undefined>((from, name) => from?.commands.find((one) => one.name() === name), program);

  it('helps with every command and every group as the whole program does', () => {
    const all = everyCommand(createProgram(catalog, '1.2.3', {} as Actions));
    const differing = all.filter((command) => {
      const path = pathOf(command);
      const typed = createProgram(catalog, '1.2.3', {} as Actions, [...path, '--help']);
      return at(typed, path)?.helpInformation() !== command.helpInformation();
    });

    expect(all.length).toBeGreaterThan(catalog.length);
    expect(differing.map(pathOf)).toEqual([]);
  });

  it('has no options of commands that are not typed', () => {
    const typed = createProgram(catalog, '1.2.3', {} as Actions, ['project', 'add', 'Shop']);

    expect(at(typed, ['project', 'add'])?.options.length).toBeGreaterThan(0);
    expect(at(typed, ['project', 'list'])?.options).toEqual([]);
    expect(at(typed, ['token'])?.commands).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { FULL_NAMES, followed, joined, type Name, type Naming, say, textOf, toolsIn } from '#advice';
import type { Call, Gateway, Outcome } from '#gateway/gateway';
import { codeOf, phrasesIn, sourceFiles, stringsIn, type WrittenPhrase } from '#testing/source-words';
import { catalog, type Tool } from '#tools/catalog';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { BOARD_SPELLING } from '#transports/cli/board/spelling';
import { cliNaming, spellingOf } from '#transports/cli/cli-naming';
import { createProgram, everyCommand } from '#transports/cli/program';
import { createWording, isForAgents, nameIn } from '#transports/mcp/catalog-wording';
import { restNaming } from '#transports/naming';
import { openApi } from '#transports/rest/openapi';
import { SETTINGS } from './settings.ts';

const nothing = async (): Promise<void> => {};
const program = createProgram(catalog, '1.0.0', {
  serve: nothing,
  mcp: nothing,
  worker: nothing,
  open: nothing,
  connect: nothing,
  board: nothing,
  step: nothing,
  login: nothing,
  logout: nothing,
  migrate: nothing,
  doctor: nothing,
  runTool: nothing,
});

type Command = ReturnType<typeof createProgram>;
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const COMMANDS = new Set(everyCommand(program).map(pathOf));
const FIELDS = new Set(catalog.flatMap(({ input }) => Object.keys(input.shape)));
const VARIABLES = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
const FULL = new Map(catalog.map((tool) => [tool.full_name, tool]));
const WRITTEN = sourceFiles().flatMap(phrasesIn);
const PROFILE_NAMES = ['all', ...Object.keys(PROFILES)] as (ProfileName | 'all')[];

const namesOf = ({ parts }: WrittenPhrase): readonly Name[] => parts.filter((part) => typeof part !== 'string');
const shown = (phrase: WrittenPhrase): string => `${phrase.file}: ${textOf(phrase)}`;
const failing = (isRight: (phrase: WrittenPhrase) => boolean): readonly string[] =>
  WRITTEN.filter((phrase) => !isRight(phrase)).map(shown);

/** What an agent reads at an address where it has these tools. */
function hintAt(profile: ProfileName | 'all', phrase: WrittenPhrase, visible: readonly Tool[]): string | undefined {
  const error = { code: 'conflict', message: 'No.', hint: [phrase], retryable: false, correlation_id: 'c' };
  const [tool] = catalog;
  if (tool === undefined) throw new Error('There is no tool.');
  const outcome: Outcome = { ok: false, error, status: 409 };
  const { json } = createWording(profile).answer({ ...tool, envelope: null }, outcome, () => visible);
  return (JSON.parse(json) as { error: { hint?: string } }).error.hint;
}

// Stands for a caller who may call everything, or nothing: the naming asks for nothing else.
const someone = {} as Call['caller'];
const seeing = (tools: readonly Tool[]): Pick<Gateway, 'visible'> => ({ visible: () => tools });

describe('words with names in them', () => {
  it('are spelled as their reader knows the names', () => {
    const words = say`${{ call: 'todo_list_tasks' }} with ${{ field: 'action', value: 'queue' }}, then ${{ call: 'get_task' }} ${3}.`;

    expect(textOf(words)).toBe('Call todo_list_tasks with action "queue", then call get_task 3.');
    expect(textOf(joined([say`${{ about: 'title' }} is long`, 'more'], '; '))).toBe('title: is long; more');
    expect(toolsIn(words)).toEqual(['todo_list_tasks', 'get_task']);
  });

  it('leave out the sentences about tools that the reader cannot call', () => {
    const naming: Naming = { ...FULL_NAMES, canCall: (name) => name === 'get_task' };
    const sentences = [
      say`${{ call: 'next_task' }} for other work.`,
      'Tell a person.',
      say`Ask ${{ tool: 'get_task' }}.`,
    ];

    expect(followed(sentences, naming)).toEqual(['Tell a person.', 'Ask get_task.']);
  });
});

describe('every text of the product that names something', () => {
  it('is found, and names what there is', () => {
    expect(WRITTEN.length).toBeGreaterThan(100);
    expect(failing((phrase) => toolsIn(phrase).every((name) => FULL.has(name)))).toEqual([]);
    expect(
      failing((phrase) =>
        namesOf(phrase).every((name) => {
          if ('command' in name) return COMMANDS.has(`errand ${name.command}`);
          if ('setting' in name) return VARIABLES.has(name.setting);
          return !('field' in name) || FIELDS.has(name.field);
        }),
      ),
    ).toEqual([]);
  });

  it.each(PROFILE_NAMES)('names tools at the MCP address of %s as they are listed there, or is left out', (profile) => {
    const listed = catalog.filter((tool) => isForAgents(tool) && (profile === 'all' || tool.profile === profile));
    const wrong = failing((phrase) => {
      const text = hintAt(profile, phrase, listed);
      const tools = toolsIn(phrase).map((name) => listed.find(({ full_name }) => full_name === name));
      if (tools.includes(undefined)) return text === undefined;
      return text !== undefined && tools.every((tool) => tool !== undefined && text.includes(nameIn(profile, tool)));
    });

    expect(wrong).toEqual([]);
    expect(WRITTEN.filter((phrase) => toolsIn(phrase).length > 0 && hintAt(profile, phrase, []) !== undefined)).toEqual(
      [],
    );
  });

  it('names tools over REST as the OpenAPI document does, and only those that the caller has', () => {
    const operations = new Set(JSON.stringify(openApi(catalog, '1.0.0')).match(/(?<="operationId":")\w+/g));
    const all = restNaming(seeing(catalog), someone);
    const none = restNaming(seeing([]), someone);
    const naming = WRITTEN.filter((phrase) => toolsIn(phrase).length > 0);

    expect(failing((phrase) => toolsIn(phrase).every((name) => operations.has(all.tool(name))))).toEqual([]);
    expect(naming.filter((phrase) => followed([phrase], all).length !== 1).map(shown)).toEqual([]);
    expect(naming.filter((phrase) => followed([phrase], none).length !== 0).map(shown)).toEqual([]);
  });

  it.each([
    ['of the tools', spellingOf(catalog[0] as Tool)],
    ['of every day', BOARD_SPELLING],
  ])('names commands %s on the command line', (_, spelling) => {
    const naming = cliNaming(spelling, () => true);

    expect(failing((phrase) => toolsIn(phrase).every((name) => COMMANDS.has(naming.tool(name))))).toEqual([]);
    expect(
      failing(
        (phrase) =>
          followed(
            [phrase],
            cliNaming(spelling, () => false),
          ).length === 0 || toolsIn(phrase).length === 0,
      ),
    ).toEqual([]);
  });

  it('is the only kind of text that names a tool: elsewhere a tool is named only where it is called', () => {
    const names = catalog.flatMap(({ name, full_name }) => [name, full_name]).filter((name) => name.includes('_'));
    const pattern = new RegExp(`(?<![\\w-])(?:${[...new Set(names)].join('|')})(?![\\w-])`);
    const others = sourceFiles().filter((file) => !file.startsWith('tools/'));

    const prose = others.flatMap((file) =>
      stringsIn(file)
        .filter((text) => pattern.test(text) && !names.includes(text))
        .map((text) => `${file}: ${text}`),
    );

    expect(prose).toEqual([]);
  });

  it('is the only kind of hint that names a command or a setting', () => {
    const plain = sourceFiles().flatMap((file) =>
      [...codeOf(file).matchAll(/\bhint: (['`])((?:(?!\1).)*)\1/gs)]
        .filter(([, , text = '']) => /\berrand [a-z]|\bERRAND_[A-Z]/.test(text))
        .map(([, , text]) => `${file}: ${text}`),
    );

    expect(plain).toEqual([]);
  });
});

describe('what an agent reads when it connects', () => {
  it('says something to an agent that has a single tool of a profile', () => {
    const silent = catalog
      .filter(isForAgents)
      .filter((tool) => createWording(tool.profile).profileText(tool.profile, [tool]) === '');

    expect(silent.map(({ full_name }) => full_name)).toEqual([]);
  });
});

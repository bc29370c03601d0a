import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { z } from 'zod';
import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';
import { type Field, fieldsOf, valueFromText } from '#transports/fields';
import { readTyped } from './read-token.ts';

/** Calls a tool with the arguments that the person typed. */
export type RunTool = (tool: Tool, input: Record<string, unknown>, flags: CommonFlags) => Promise<void>;

/** Whether the words on the command line name this command, of this group. */
export type IsTyped = (name: string, group?: string) => boolean;

export interface CommonFlags {
  readonly data?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

const MAX_PLACEHOLDER = 30;

export const dashed = (name: string): string => name.replaceAll('_', '-');
export const camel = (flag: string): string =>
  flag.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

/** The words of a tool's command. A profile name before the tool's name is dropped: the first word says it. */
export const wordsOf = (tool: Tool): readonly string[] =>
  tool.cli?.command.split(' ') ?? [tool.profile, dashed(tool.name.replace(`${tool.profile}_`, ''))];
export const flagOf = (tool: Tool, field: string): string => tool.cli?.flags?.[field] ?? dashed(field);
/** A field as a person types it: `--project`, or `NAME` for a positional argument. */
export const typedAs = (tool: Tool, field: string): string =>
  isPositional(tool, field) ? dashed(field).toUpperCase() : `--${flagOf(tool, field)}`;
const isPositional = (tool: Tool, field: string): boolean => tool.cli?.positionals?.includes(field) === true;
/** On the command line the default user is the person who types. */
const defaultOf = (tool: Tool, field: string): string | undefined => (tool.subject === field ? 'me' : undefined);

/** Whether the values are short enough to be the placeholder in the help. */
const arePlaceholder = ({ kind, values }: Field): boolean =>
  kind !== 'array' && values.length > 0 && values.join('|').length <= MAX_PLACEHOLDER;

/** Whether a list can be typed as text with commas between the items. */
function takesTexts(tool: Tool, { name, kind, values }: Field): boolean {
  if (kind !== 'array') return false;
  // Safe: `shape` is typed loosely, but each field is a schema.
  return values.length > 0 || (tool.input.shape[name] as z.ZodType).safeParse(['a']).success;
}

function placeholderOf(tool: Tool, field: Field): string {
  if (tool.cli?.files?.includes(field.name)) return 'file';
  if (arePlaceholder(field)) return field.values.join('|');
  if (takesTexts(tool, field)) return 'a,b';
  if (field.kind === 'array' || field.kind === 'object') return 'json';
  return field.kind === 'number' ? 'n' : 'text';
}

function valuesOf(field: Field): string | null {
  const { kind, values, description } = field;
  if (arePlaceholder(field) || values.every((value) => description.includes(value))) return null;
  return `${kind === 'array' ? 'Any' : 'One'} of: ${values.join(', ')}.`;
}

/** Ids and fixed values contain no commas; free text does. */
const commasOf = (tool: Tool, field: Field): string | null =>
  takesTexts(tool, field) && field.values.length === 0 && !field.name.endsWith('_ids')
    ? `Texts with commas go in as JSON: '["a, b","c"]'.`
    : null;

export function describeField(tool: Tool, field: Field): string {
  const fallback = defaultOf(tool, field.name);
  const remark = fallback === undefined ? field.required && '(required)' : `(default: ${fallback})`;
  return [field.description, valuesOf(field), commasOf(tool, field), remark].filter(Boolean).join(' ');
}

function optionsOf(tool: Tool, field: Field): Option[] {
  const flag = flagOf(tool, field.name);
  const description = describeField(tool, field);
  if (field.kind !== 'boolean') return [new Option(`--${flag} <${placeholderOf(tool, field)}>`, description)];
  // The second is no line of its own in the help: the first names it.
  const both = `${description} --no-${flag} means false.`;
  return [new Option(`--${flag} [true|false]`, both), new Option(`--no-${flag}`).hideHelp()];
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ErrandError('validation_error', `The file ${path} cannot be read.`);
  }
}

function valueOfField(tool: Tool, { name, kind }: Field, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed;
  if (tool.cli?.files?.includes(name)) return readFile(typed);
  if (tool.cli?.paths?.includes(name)) return resolve(typed);
  return valueFromText(kind, typed);
}

/** The command of a tool as its group lists it, without the schema of the tool. */
function listedCommand(tool: Tool): Command {
  const command = new Command(wordsOf(tool).at(-1)).summary(tool.title).description(tool.description);
  for (const name of tool.cli?.positionals ?? []) command.argument(`<${dashed(name)}>`);
  return command;
}

/** Builds the command of one tool. Missing fields are left to the gateway, which names all of them at once. */
export function toolCommand(tool: Tool, run: RunTool, isTyped: IsTyped = () => true): Command {
  const [group = '', name = ''] = wordsOf(tool);
  if (!isTyped(name, group)) return listedCommand(tool);
  const secrets = tool.cli?.typed ?? [];
  const fields = fieldsOf(tool).filter(({ name }) => !secrets.includes(name));
  const positionals = (tool.cli?.positionals ?? []).flatMap(
    (name) => fields.find((field) => field.name === name) ?? [],
  );
  const command = new Command(wordsOf(tool).at(-1)).summary(tool.title).description(tool.description);

  for (const field of positionals) command.argument(`<${dashed(field.name)}>`, describeField(tool, field));
  for (const field of fields) {
    if (!isPositional(tool, field.name)) for (const option of optionsOf(tool, field)) command.addOption(option);
  }
  addStoreOptions(command).option('--json', 'answer as one line of JSON');

  return command.action(async (...args: unknown[]) => {
    const flags = command.opts<CommonFlags & Record<string, string | boolean | undefined>>();
    const typed = fields.map((field) => {
      const index = positionals.indexOf(field);
      // Commander passes the positional arguments first, as text.
      const value = index === -1 ? flags[camel(flagOf(tool, field.name))] : (args[index] as string);
      return [field, value ?? defaultOf(tool, field.name)] as const;
    });
    const given = typed.flatMap(([field, value]) =>
      value === undefined ? [] : [[field.name, valueOfField(tool, field, value)] as const],
    );
    await run(tool, { ...Object.fromEntries(given), ...(await readTyped(secrets)) }, flags);
  });
}

export const addStoreOptions = (command: Command): Command =>
  command
    .option('--data <dir>', 'the data folder (ERRAND_DATA, default ~/.errand)')
    .option('--database-url <url>', 'sqlite:PATH or postgres://… (ERRAND_DATABASE_URL)');

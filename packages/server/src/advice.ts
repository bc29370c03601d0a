import type { ToolName } from './tool-names.ts';

export type { ToolName };

/** A name inside a text. Each transport writes it in the form that its callers know. */
export type Name =
  /** Advice to call a tool: "Call next_task", or on the command line "Run errand task next". */
  | { readonly call: ToolName }
  /** A tool that is only mentioned. */
  | { readonly tool: ToolName }
  /** A field of the called tool, or one value of it. */
  | { readonly field: string; readonly value?: string }
  /** The field that the next words are about: "user_id: is required", or on the command line "--user is required". */
  | { readonly about: string }
  /** A command for a person, without the word errand: the same on every transport. */
  | { readonly command: string }
  /** A setting by its environment variable: the same on every transport. */
  | { readonly setting: string };

/** A text whose names are data. */
export interface Phrase {
  readonly parts: readonly (string | Name)[];
}

/** A plain string names no tool, no field, no command and no setting. */
export type Words = string | Phrase;

/** Advice as sentences. A sentence that names a tool which the reader cannot call is left out. */
export type Hint = Words | readonly Words[];

/** How one transport names tools and fields. */
export interface Naming {
  readonly verb: 'call' | 'run';
  readonly tool: (name: ToolName) => string;
  readonly canCall: (name: ToolName) => boolean;
  readonly field: (name: string, value?: string) => string;
  readonly about: (field: string) => string;
}

/** Names as in the catalogue: for logs, for the documentation, and when the caller is unknown. */
export const FULL_NAMES: Naming = {
  verb: 'call',
  tool: (name) => name,
  canCall: () => true,
  field: (name, value) => (value === undefined ? name : `${name} "${value}"`),
  about: (field) => `${field}:`,
};

const partsOf = (words: Words): Phrase['parts'] => (typeof words === 'string' ? [words] : words.parts);

const isWords = (value: Name | Words | number): value is Words =>
  typeof value === 'string' || Object.hasOwn(Object(value), 'parts');

/** A text with names in it: say`${{ call: 'list_tasks' }} for ids.` */
export function say(texts: TemplateStringsArray, ...values: readonly (Name | Words | number)[]): Phrase {
  const parts = texts.flatMap((text, i) => {
    const value = values[i];
    if (value === undefined) return [text];
    if (typeof value === 'number') return [text, String(value)];
    return isWords(value) ? [text, ...partsOf(value)] : [text, value];
  });
  return { parts: parts.filter((part) => part !== '') };
}

/** Joins words with a text between them. */
export const joined = (list: readonly Words[], between: string): Phrase => ({
  parts: list.flatMap((words, i) => (i === 0 ? partsOf(words) : [between, ...partsOf(words)])),
});

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function spelled(part: string | Name, isFirst: boolean, naming: Naming): string {
  if (typeof part === 'string') return part;
  if ('tool' in part) return naming.tool(part.tool);
  if ('field' in part) return naming.field(part.field, part.value);
  if ('about' in part) return naming.about(part.about);
  if ('command' in part) return `errand ${part.command}`;
  if ('setting' in part) return part.setting;
  return `${isFirst ? capital(naming.verb) : naming.verb} ${naming.tool(part.call)}`;
}

export const textOf = (words: Words, naming: Naming = FULL_NAMES): string =>
  partsOf(words)
    .map((part, i) => spelled(part, i === 0, naming))
    .join('');

/** Returns the tools that the words name. */
export const toolsIn = (words: Words): readonly ToolName[] =>
  partsOf(words).flatMap((part) => {
    if (typeof part === 'string') return [];
    if ('tool' in part) return [part.tool];
    return 'call' in part ? [part.call] : [];
  });

/** Returns the sentences that the reader can follow. */
export const followed = (sentences: readonly Words[], naming: Naming): readonly string[] =>
  sentences.filter((words) => toolsIn(words).every(naming.canCall)).map((words) => textOf(words, naming));

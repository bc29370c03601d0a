import type { CallContext, InputRequired, PromptMessages, PromptPart } from '#host';
import { InputNeeded } from '#input-needed';
import type { JsonObject } from '#json';
import { INVALID_PARAMS, RpcError } from '#json-rpc';
import type { Completer } from './completion.ts';
import { type PromptMessage, user } from './content.ts';

export interface PromptArgument {
  readonly description?: string;
  readonly required?: boolean;
  /** Suggests values for the argument. */
  readonly complete?: Completer;
}

type Written = string | PromptMessage | readonly PromptMessage[];

type Values<Names extends string> = Readonly<Partial<Record<Names, string>>>;

export interface PromptOptions<Names extends string, Caller> {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The arguments by name, in the order in which clients show them. */
  readonly arguments?: Readonly<Record<Names, PromptArgument>>;
  readonly run: (values: Values<Names>, call: CallContext<Caller>) => Written | Promise<Written>;
}

/** A prompt as the server serves it. */
export interface Prompt<Caller> {
  readonly name: string;
  readonly listed: JsonObject;
  readonly complete: Readonly<Record<string, Completer>>;
  readonly get: (args: JsonObject, call: CallContext<Caller>) => Promise<PromptMessages | InputRequired>;
}

/** Defines a prompt: its arguments and the messages that it makes of them. */
export function prompt<Names extends string = never, Caller = unknown>(
  options: PromptOptions<Names, Caller>,
): Prompt<Caller> {
  const { name, title, description, run } = options;
  const taken = Object.entries<PromptArgument>(options.arguments ?? {});
  const listed = taken.map(([argument, { description: about, required }]) => ({
    name: argument,
    ...(about !== undefined && { description: about }),
    ...(required !== undefined && { required }),
  }));

  return {
    name,
    listed: {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(listed.length > 0 && { arguments: listed }),
    },
    complete: Object.fromEntries(
      taken.flatMap(([argument, { complete }]) => (complete === undefined ? [] : [[argument, complete]])),
    ),
    get: async (args, call) => {
      try {
        const written = await run(valuesOf(taken, args) as Values<Names>, call); // `valuesOf` has these names.
        const about = description === undefined ? {} : { description };
        return { kind: 'messages', ...about, messages: messagesOf(written).map((message) => ({ ...message })) };
      } catch (error) {
        if (error instanceof InputNeeded) return error.required;
        throw error;
      }
    },
  };
}

function messagesOf(written: Written): readonly PromptMessage[] {
  if (typeof written === 'string') return [user(written)];
  return 'role' in written ? [written] : written;
}

/** Checks the arguments of a prompt: all are strings, and no required one is missing. */
function valuesOf(taken: readonly (readonly [string, PromptArgument])[], args: JsonObject): Values<string> {
  const values: Record<string, string> = {};
  for (const [name, { required }] of taken) {
    const value = args[name];
    if (typeof value === 'string') values[name] = value;
    else if (value !== undefined || required) throw new RpcError(INVALID_PARAMS, `${name} must be a string.`);
  }
  return values;
}

export function createPromptPart<Caller>(prompts: readonly Prompt<Caller>[]): PromptPart<Caller> {
  const byName = new Map(prompts.map((entry) => [entry.name, entry] as const));
  const listed = [...byName.values()].map((entry) => entry.listed);
  return { list: () => listed, get: (name, args, call) => byName.get(name)?.get(args, call) };
}

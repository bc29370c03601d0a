import { isAbsolute } from 'node:path';
import { z } from 'zod';

export const Argument = z.string().refine((word) => !word.includes('\0'), 'arguments hold no null character');

// A relative path would be one in the repository that the run works on.
const Program = Argument.min(1, 'the program has no name').refine(
  (name) => !name.includes('/') || isAbsolute(name),
  'give the whole path of the program, or its name on the PATH',
);

/** People write a command line first, but no shell splits it. */
function noList({ input }: { readonly input: unknown }): string {
  const words = typeof input === 'string' ? input.split(/\s+/).filter(Boolean) : [];
  return `must be a list such as ${JSON.stringify(words.length > 0 ? words : ['node', '/home/me/agent.mjs'])}`;
}

/** A program of the operator's configuration with its arguments. */
export const Command = z.tuple([Program], Argument, { error: noList });

export const wholeNumber = (from: number, to: number) => {
  const words = `must be a whole number from ${from} to ${to}`;
  return z.int(words).min(from, words).max(to, words);
};

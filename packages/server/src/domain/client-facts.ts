import { z } from 'zod';
import { MAX_PATH_CHARACTERS } from './text.ts';
import { visible } from './visible-text.ts';

const fact = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text))
    .transform((text) => visible(text).trim())
    .refine((text) => text !== '')
    .optional()
    // A fact that cannot be kept is dropped; the report itself is accepted.
    .catch(undefined);

const Given = z.object({
  /** What the client itself calls its session. */
  session_id: fact(200),
  /** Name and version of the program. */
  client: fact(200),
  folder: fact(MAX_PATH_CHARACTERS),
  branch: fact(255),
  /** The author of the report, when it is not the agent itself. */
  source: z.literal('script').optional().catch(undefined),
});
type Given = z.output<typeof Given>;

/** What a client says about itself. It is not checked: it is shown to people and never trusted. */
export type ClientFacts = { readonly [Name in keyof Given]?: Exclude<Given[Name], undefined> };

export const NO_CLIENT_FACTS: ClientFacts = {};

/** The client facts that can be kept. */
export const readClientFacts = (given: Readonly<Record<string, unknown>>): ClientFacts =>
  Object.fromEntries(Object.entries(Given.parse(given)).filter(([, value]) => value !== undefined));

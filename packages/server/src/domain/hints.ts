import { z } from 'zod';
import { visible } from './visible-text.ts';

const hint = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text))
    .transform((text) => visible(text).trim())
    .refine((text) => text !== '')
    .optional()
    // A hint that cannot be kept is dropped; the report itself is accepted.
    .catch(undefined);

const Given = z.object({
  /** What the client itself calls its session. */
  session_id: hint(200),
  /** Name and version of the program. */
  client: hint(200),
  folder: hint(4_096),
  branch: hint(255),
  /** The author of the report, when it is not the agent itself. */
  source: z.literal('script').optional().catch(undefined),
});
type Given = z.output<typeof Given>;

/** What a client says about itself. Nobody has checked it: it is shown to people and never trusted. */
export type Hints = { readonly [Name in keyof Given]?: Exclude<Given[Name], undefined> };

export const NO_HINTS: Hints = {};

/** The hints that can be kept. */
export const readHints = (given: Readonly<Record<string, unknown>>): Hints =>
  Object.fromEntries(Object.entries(Given.parse(given)).filter(([, value]) => value !== undefined));

import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { PROFILES, type ProfileName } from '../../packages/server/src/tools/profiles.ts';
import { listedTools } from '../../packages/server/src/transports/mcp/catalog-host.ts';

/** The encoding for counting tokens. */
export const ENCODING = 'o200k_base';

/** The most tokens of a listing: of the part that a model reads, and of the whole answer. */
export const MAX_TOKENS = { model: 4_000, profile: 9_000, together: 18_000 } as const;

export interface ListingTokens {
  readonly address: string;
  readonly tools: number;
  /** Tokens of name, description and arguments of all tools, which clients give to the model. */
  readonly model: number;
  /** Tokens of the whole answer to `tools/list` in the longest revision, 2025-11-25 with tasks. */
  readonly whole: number;
  readonly max_whole: number;
}

/** Counts the tokens of the tool listings of each address. */
export function countListings(): readonly ListingTokens[] {
  const encoder = new Tiktoken(o200k);
  const count = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;
  const profiles = (Object.keys(PROFILES) as ProfileName[]).filter((name) => PROFILES[name].mcp);

  return (['all', ...profiles] as const).map((profile) => {
    const tools = [...listedTools(catalog, profile).values()];
    return {
      address: profile === 'all' ? '/mcp' : `/mcp/${profile}`,
      tools: tools.length,
      model: count(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
      whole: count({ tools: tools.map((tool) => ({ ...tool, execution: { taskSupport: 'optional' } })) }),
      max_whole: profile === 'all' ? MAX_TOKENS.together : MAX_TOKENS.profile,
    };
  });
}

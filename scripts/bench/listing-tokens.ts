import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { PROFILES, type ProfileName } from '../../packages/server/src/tools/profiles.ts';
import { listedTools } from '../../packages/server/src/transports/mcp/catalog-host.ts';

/** The vocabulary that tokens are counted with. */
export const ENCODING = 'o200k_base';

/** The most tokens that a listing may take: of what a model reads, and of the whole answer. */
export const MAX_TOKENS = { model: 4_000, profile: 9_000, together: 18_000 } as const;

export interface ListingTokens {
  readonly address: string;
  readonly tools: number;
  /** Name, description and arguments of every tool: what clients put before the model. */
  readonly model: number;
  /** The whole answer to `tools/list` in the generation that says most, 2025-11-25 with tasks. */
  readonly whole: number;
  readonly max_whole: number;
}

/** How many tokens the listings of every tool take, for each address. */
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

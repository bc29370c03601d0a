import type { z } from 'zod';
import type { Definition } from './define.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

/** A tool in its place: which profile it belongs to, and what it is called where all profiles meet. */
export interface Tool extends Definition {
  readonly profile: ProfileName;
  readonly full_name: string;
}

const TOOLS: Record<ProfileName, readonly Definition[]> = {
  todo: [],
  admin: [],
};

/** Every tool of Errand, in the order in which they are listed. */
export const catalog: readonly Tool[] = (Object.keys(TOOLS) as ProfileName[]).flatMap((profile) =>
  TOOLS[profile].map((tool) => ({ ...tool, profile, full_name: `${PROFILES[profile].prefix}${tool.name}` })),
);

export type Json = z.core.util.JSONType;

import { z } from 'zod';
import { MAX_CHECKS } from '#domain/check';
import type { RepoId } from '#domain/ids';
import { type ProjectNames, settingsOf } from '#domain/project-names';
import { Command, wholeNumber } from './command-schema.ts';

const NAME = 'must be a text of 1 to 60 characters';
const USUAL_TIMEOUT_S = 600;
const MAX_TIMEOUT_S = 7_200;

const ConfiguredCheck = z.strictObject({
  name: z.string(NAME).trim().min(1, NAME).max(60, NAME),
  command: Command,
  timeout_s: wholeNumber(1, MAX_TIMEOUT_S).default(USUAL_TIMEOUT_S),
});

const ofOne = z
  .array(ConfiguredCheck)
  .max(MAX_CHECKS, `holds more than ${MAX_CHECKS} checks`)
  .refine((checks) => new Set(checks.map(({ name }) => name)).size === checks.length, 'names a check twice');

/** The checks of projects ("WEB") and of single repositories ("WEB/api"). */
export const ChecksConfig = z.record(z.string().min(1), ofOne).default({});
export type ChecksConfig = z.infer<typeof ChecksConfig>;

export interface WantedCheck {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly timeout_s: number;
  /** The repository whose folder it runs in; null for the working folder of the run. */
  readonly repo_id: RepoId | null;
}

/** The checks for a run in these repositories: those of the project, then those of each repository. */
export function checksFor(
  checks: ChecksConfig,
  project: ProjectNames,
  repos: readonly { readonly id: RepoId; readonly name: string }[],
): readonly WantedCheck[] {
  const own = settingsOf(checks, project).flat();
  const wanted: WantedCheck[] = own.map((check) => ({ ...check, repo_id: null }));
  for (const { id, name } of repos) {
    const ofRepo = settingsOf(checks, project, `/${name}`).flat();
    wanted.push(...ofRepo.map((check) => ({ ...check, repo_id: id })));
  }
  return wanted;
}

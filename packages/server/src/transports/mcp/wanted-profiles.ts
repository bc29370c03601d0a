import type { IncomingMessage } from 'node:http';
import { ErrandError } from '#errors';
import { PROFILES, type ProfileName } from '#tools/profiles';

const HEADER = 'errand-profiles';
const MAX_SHOWN = 40;

// The cast: `Object.keys` forgets the names of the profiles.
const NAMES = (Object.keys(PROFILES) as ProfileName[]).filter((name) => PROFILES[name].mcp);

function profileNamed(word: string): ProfileName {
  const found = NAMES.find((name) => name === word);
  if (found !== undefined) return found;
  throw new ErrandError('validation_error', `There is no profile ${JSON.stringify(word.slice(0, MAX_SHOWN))}.`, {
    hint: `Name one or more of ${NAMES.join(', ')}, with commas between them.`,
  });
}

const profilesIn = (list: string): readonly ProfileName[] => list.split(',').map((word) => profileNamed(word.trim()));

/**
 * Returns the profiles that a client asks for: those in `?profiles=` of its URL, those in its header `Errand-Profiles`, or,
 * when it sends both, those in both. Undefined when it sends neither.
 */
export function wantedProfiles({
  url = '',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): readonly ProfileName[] | undefined {
  const start = url.indexOf('?');
  const inAddress = start === -1 ? [] : new URLSearchParams(url.slice(start)).getAll('profiles');
  const lists = [...inAddress, headers[HEADER] ?? []].flat().map(profilesIn);
  if (lists.length === 0) return undefined;
  return NAMES.filter((name) => lists.every((list) => list.includes(name)));
}

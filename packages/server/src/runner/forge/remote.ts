/** A repository at a forge, as its address names it. */
export interface ForgeRepo {
  readonly host: string;
  /** Owner and name, or group, subgroups and name. */
  readonly path: string;
}

const SCP = /^(?:[^@/\s]+@)?(?<host>[A-Za-z0-9.-]+):(?!\/\/)(?<path>[^\s]+)$/;
const PATH = /^[\w.~-]+(?:\/[\w.~-]+)+$/;

const repoOf = (host: string, path: string): ForgeRepo | null => {
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  // It becomes an argument: nothing that a program could take for an option or another host.
  return host !== '' && PATH.test(name) && !name.startsWith('-') ? { host: host.toLowerCase(), path: name } : null;
};

/** The repository that the address of a remote means; null for a folder, and for what is no forge. */
export function forgeRepo(address: string): ForgeRepo | null {
  if (/^(?:https?|ssh|git\+ssh):\/\//.test(address)) {
    const url = URL.canParse(address) ? new URL(address) : null;
    return url && repoOf(url.hostname, url.pathname);
  }
  const { host = '', path = '' } = SCP.exec(address)?.groups ?? {};
  return repoOf(host, path);
}

export type ForgeName = 'gh' | 'glab';

/** The program for a host: the configured one, or else the one that the name of the host suggests. */
export const forgeOf = (host: string, configured: Readonly<Record<string, ForgeName>>): ForgeName =>
  configured[host] ?? (host.includes('gitlab') ? 'glab' : 'gh');

import { networkInterfaces } from 'node:os';

/** The addresses of this machine, in the form for URLs, at which others reach a server that listens on all of them. */
export function ownAddresses(host: string): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const others = all.filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'));
  return others
    .filter(({ family }) => host === '::' || family === 'IPv4')
    .map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address));
}

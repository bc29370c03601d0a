import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

type Addressed = Pick<IncomingMessage, 'socket' | 'headers'>;

/** Tells from which address a request comes. */
export type AddressOf = (req: Addressed) => string;

/** Proxies on this machine, unless the operator names others. */
export const LOOPBACK_PROXIES: readonly string[] = ['127.0.0.0/8', '::1'];

/** More hops than a chain of proxies has. A client can send a header of any length. */
const MAX_HOPS = 20;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An address, or a network such as 10.0.0.0/8; null for any other text. */
function networkIn(text: string): { readonly address: string; readonly bits: number } | null {
  const [address = '', length, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : most + 1;
  return most === -1 || bits > most || more.length > 0 ? null : { address, bits };
}

export const isNetwork = (text: string): boolean => networkIn(text) !== null;

/** A hop as proxies write it: an address, or one with a port. */
const PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

function hopIn(text: string): string | null {
  const parts = PORT.exec(text)?.groups;
  const address = parts?.six ?? parts?.four ?? text;
  return isIP(address) === 0 ? null : address;
}

/**
 * The address of a caller. A proxy that the operator trusts writes it behind what it was given itself, so the last hop
 * that is no such proxy counts: what comes before it is whatever the caller has sent.
 */
export function createAddressOf(trusted: readonly string[]): AddressOf {
  const proxies = new BlockList();
  for (const text of trusted) {
    const network = networkIn(text);
    if (network !== null) proxies.addSubnet(network.address, network.bits, familyOf(network.address));
  }
  const isProxy = (address: string): boolean => isIP(address) !== 0 && proxies.check(address, familyOf(address));

  return ({ socket, headers }) => {
    let caller = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return caller;
    for (const hop of String(forwarded).split(',').slice(-MAX_HOPS).toReversed()) {
      if (!isProxy(caller)) return caller;
      const before = hopIn(hop.trim());
      // A hop that is no address was not written by a proxy.
      if (before === null) return caller;
      caller = before;
    }
    return caller;
  };
}

const GROUPS = 8;
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * What is counted as one caller: an IPv4 address, however it is written, and of an IPv6 address its first half. A caller with
 * one such address has all of that network, and could come from each of them.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  if (MAPPED.test(address)) return address.replace(MAPPED, '');
  const [before = '', after] = address.toLowerCase().split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array<string>(Math.max(0, GROUPS - groups.length - rest.length)).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, GROUPS / 2).join(':');
}

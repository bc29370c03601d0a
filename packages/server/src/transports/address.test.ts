import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createAddressOf, isNetwork, LOOPBACK_PROXIES } from './address.ts';

// Only the fields that are read: a real request needs a socket.
const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

it.each([
  // [trusted, peer, header, address of the caller]
  [LOOPBACK_PROXIES, '127.0.0.1', undefined, '127.0.0.1'],
  [LOOPBACK_PROXIES, '127.0.0.1', '198.51.100.7', '198.51.100.7'],
  [LOOPBACK_PROXIES, '::ffff:127.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  [LOOPBACK_PROXIES, '::1', '2001:db8::7', '2001:db8::7'],
  [LOOPBACK_PROXIES, '10.0.0.9', '198.51.100.7', '10.0.0.9'],
  [['10.0.0.0/8'], '10.0.0.9', '6.6.6.6, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
  [['10.0.0.0/8'], '10.0.0.9', '10.4.4.4', '10.4.4.4'],
  [['10.0.0.0/8'], '127.0.0.1', '198.51.100.7', '127.0.0.1'],
  [['10.0.0.0/8'], '10.0.0.9', '198.51.100.7:4711', '198.51.100.7'],
  [['10.0.0.0/8'], '10.0.0.9', '[2001:db8::7]:4711', '2001:db8::7'],
  [['10.0.0.0/8'], '10.0.0.9', '198.51.100.7, unknown', '10.0.0.9'],
  [['2001:db8::/32'], '2001:db8::1', '198.51.100.7', '198.51.100.7'],
  [[], '127.0.0.1', '198.51.100.7', '127.0.0.1'],
])('with the proxies %j, a request of %s forwarded for %s comes from %s', (trusted, peer, header, address) => {
  expect(createAddressOf(trusted)(request(peer, header))).toBe(address);
});

it('takes addresses and networks, and nothing else', () => {
  expect(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8'].map(isNetwork)).toEqual(Array(5).fill(true));
  expect(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::1/129', '::1/8/8'].map(isNetwork)).toEqual(
    Array(7).fill(false),
  );
});

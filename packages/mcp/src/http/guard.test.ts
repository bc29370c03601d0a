import { describe, expect, it } from 'vitest';
import { checkHost, checkOrigin, createGuard } from './guard.ts';

const guard = createGuard({
  host: '127.0.0.1',
  port: 8080,
  allowed_hosts: ['errand.example.com', 'exact.example.com:9000'],
  allowed_origins: ['https://board.example.com'],
});

describe('guard', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    '127.0.0.1:8080',
    '[::1]:8080',
    'errand.example.com',
    'errand.example.com:443',
    'exact.example.com:9000',
  ])('[M8.1] answers under the Host %s', (host) => {
    expect(checkHost(guard, host)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'evil.com',
    '127.0.0.1.evil.com',
    'localhost.evil.com:8080',
    'evil.com:8080',
    'localhost.',
    'localhost:8080@evil.com',
    'localhost, evil.com',
    'exact.example.com',
    'exact.example.com:9001',
    '[::1',
    '0.0.0.0:8080',
  ])('[M8.1] refuses the Host %s', (host) => {
    expect(checkHost(guard, host)).toBe(false);
  });

  it.each([
    undefined,
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://board.example.com',
  ])('[M8.2] allows the Origin %s', (origin) => {
    expect(checkOrigin(guard, origin)).toBe(true);
  });

  it.each([
    'null',
    '',
    'http://evil.com',
    'http://127.0.0.1.evil.com:8080',
    'http://localhost:3000',
    'http://localhost',
    'https://board.example.com:444',
    'http://board.example.com',
    'http://errand.example.com',
    'http://localhost:8080/path',
    'file://',
  ])('[M8.2] refuses the Origin %s', (origin) => {
    expect(checkOrigin(guard, origin)).toBe(false);
  });

  it.each([
    ['http://errand.example.com', 'errand.example.com'],
    ['https://errand.example.com', 'Errand.Example.com'],
    ['http://errand.example.com:9000', 'errand.example.com:9000'],
    ['http://localhost:9000', 'localhost:9000'],
  ])('allows its own page of %s, asked under the Host %s', (origin, host) => {
    expect(checkOrigin(guard, origin, host)).toBe(true);
  });

  it.each([
    ['http://errand.example.com:3000', 'errand.example.com'],
    ['http://errand.example.com', 'localhost:8080'],
    ['http://exact.example.com:9001', 'exact.example.com:9001'],
    ['http://127.0.0.1.evil.com:8080', '127.0.0.1.evil.com:8080'],
    ['null', 'null'],
  ])('refuses the page of %s, asked under the Host %s', (origin, host) => {
    expect(checkOrigin(guard, origin, host)).toBe(false);
  });

  it('refuses a page whose Origin equals its own evil Host', () => {
    const rebound = { host: 'evil.com:8080', origin: 'http://evil.com:8080' };

    const answers = [checkHost(guard, rebound.host), checkOrigin(guard, rebound.origin, rebound.host)];

    expect(answers).toEqual([false, false]);
  });

  it('[M8.1] accepts its listening address as a Host, but not the wildcard address', () => {
    const lan = createGuard({ host: '192.168.1.5' });
    const every = createGuard({ host: '0.0.0.0' });

    expect(checkHost(lan, '192.168.1.5:8080')).toBe(true);
    expect(checkHost(createGuard({ host: 'fd00::5' }), '[fd00::5]:8080')).toBe(true);
    expect(checkHost(every, '0.0.0.0:8080')).toBe(false);
  });

  it('allows a loopback Origin on any port while its own port is unknown', () => {
    const early = createGuard({ host: 'localhost' });

    expect(checkOrigin(early, 'http://localhost:3000')).toBe(true);
    expect(checkOrigin(early, 'http://evil.com:3000')).toBe(false);
  });
});

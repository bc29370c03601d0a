import { describe, expect, it } from 'vitest';
import { createRedaction } from './secrets.ts';

const KEY = 'plane_api_0123456789abcdef';
const BASE = 'https://plane.acme.test:8443';
const redacted = createRedaction({ api_key: KEY, base_url: BASE });

const everySign = (text: string): string =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

describe('texts of a Plane', () => {
  it.each([
    ['the key', KEY],
    ['the key in capitals', KEY.toUpperCase()],
    ['the key with an invisible sign in it', KEY.replace('api_', 'api_\u200b')],
    ['the key in percent form', everySign(KEY)],
    ['the address', BASE],
    ['the address in an address', encodeURIComponent(BASE)],
    ['the address in percent form', everySign(BASE)],
    ['the host with its port', 'plane.acme.test:8443'],
    ['the host alone', 'at plane.acme.test, port 443'],
    ['the host in another case', 'PLANE.Acme.test'],
    ['the host with an invisible sign in it', 'plane.ac\u00adme.test'],
    ['the key at the end of what is read', 'x'.repeat(7_975) + KEY],
    ['half a key after many keys', `xxxxxx${`${KEY} `.repeat(295)}${KEY}`],
  ])('do not hold %s', (_, secret) => {
    expect(decodeURIComponent(redacted(`Refused: ${secret}`)).toLowerCase()).not.toMatch(
      /plane_api|0123456|acme\.test/,
    );
  });

  it('keep the text around a secret, also around one with an invisible character in it', () => {
    expect(redacted(`Refused: ${KEY.replace('api_', 'api_\u200b')} is no key`)).toBe('Refused: … is no key');
  });

  it('keep a word that only contains the host’s name', () => {
    const atPlane = createRedaction({ api_key: KEY, base_url: 'http://api:8000' });

    expect(atPlane('A capital letter at api:8000')).toBe('A capital letter at …');
  });
});

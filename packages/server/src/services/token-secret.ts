import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { TokenKind } from '#domain/token';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^errand_[a-z]+_[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

const letter = (index: number): string => ALPHABET.charAt(index % ALPHABET.length);

function randomText(): string {
  let text = '';
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: higher bytes would make the first letters more likely.
      if (byte < 248 && text.length < RANDOM_LENGTH) text += letter(byte);
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = letter(rest) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Makes a secret: 178 random bits and a checksum, so that scanners and typos are recognised without the database. */
export function mintSecret(kind: TokenKind): string {
  const body = `errand_${kind}_${randomText()}`;
  return body + checksum(body);
}

/** The stored hash of a secret. No salt: 178 random bits cannot be looked up in a table. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Whether a text has the form of our secrets: guesses end here, before the database. */
export const isWellFormedSecret = (secret: string): boolean =>
  FORM.test(secret) && checksum(secret.slice(0, -CHECK_LENGTH)) === secret.slice(-CHECK_LENGTH);

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ErrandError } from '#errors';

/** The cost of one guess. */
export type PasswordCost = Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>;

/** 32 MiB and about a tenth of a second. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** More would take all threads of the process that also read files. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 50;

const STORED = /^scrypt\$(\d{1,10})\$(\d{1,3})\$(\d{1,3})\$([\w-]{1,100})\$([\w-]{1,200})$/;

let running = 0;
const waiting: (() => void)[] = [];

/** Anyone may ask for a hash by signing in, so only a few are made at once, and few more wait. */
async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new ErrandError('overloaded', 'Too many people sign in at once. Try again in a moment.', {
        retry_after_ms: 2_000,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await run();
  } finally {
    // The place goes to the next one, so that nobody else takes it in between.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

// Two texts that look the same on different keyboards are the same password.
const keyOf = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) => {
        const options = { ...cost, maxmem: MAX_MEMORY_BYTES };
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );

/** Hashes a password, with what it takes to hash it again: a later release may use other parameters. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

const NOBODY = Buffer.alloc(SALT_BYTES);

/** Whether this is the password. Without a stored one it takes as long, and is false. */
export async function isPassword(password: string, stored: string | null, cost: PasswordCost): Promise<boolean> {
  const [, n = '', r = '', p = '', salt = '', hash = ''] = STORED.exec(stored ?? '') ?? [];
  if (hash === '') {
    await keyOf(password, NOBODY, cost);
    return false;
  }
  const key = await keyOf(password, Buffer.from(salt, 'base64url'), { N: Number(n), r: Number(r), p: Number(p) });
  const known = Buffer.from(hash, 'base64url');
  return known.length === key.length && timingSafeEqual(known, key);
}

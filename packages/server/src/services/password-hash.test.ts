import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword, PASSWORD_COST } from './password-hash.ts';

const CHEAP = { N: 1_024, r: 8, p: 1 };

describe('the hash of a password', () => {
  it('fits its password alone, and differs each time', async () => {
    const [first, second] = [await hashPassword('correct horse', CHEAP), await hashPassword('correct horse', CHEAP)];

    expect(first).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(first).not.toBe(second);
    expect(await isPassword('correct horse', first, CHEAP)).toBe(true);
    expect(await isPassword('correct horsf', first, CHEAP)).toBe(false);
  });

  it('takes 32 MiB in the program itself, and is read with the parameters that it names', async () => {
    const costly = await hashPassword('correct horse', PASSWORD_COST);
    // scrypt('password', '0123456789abcdef', N=1024, r=8, p=1), 32 bytes.
    const other = 'scrypt$1024$8$1$MDEyMzQ1Njc4OWFiY2RlZg$ZEBCzLptWM7dhpNJDU2HbQ945ovKHmVEozHkePPbSqw';

    expect(costly).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(await isPassword('correct horse', costly, CHEAP)).toBe(true);
    expect(await isPassword('password', other, PASSWORD_COST)).toBe(true);
  });

  it('treats two ways to type one character as equal', async () => {
    const stored = await hashPassword('cafe\u0301 au lait', CHEAP);

    expect(await isPassword('caf\u00e9 au lait', stored, CHEAP)).toBe(true);
  });

  it.each([null, '', 'scrypt$1$2', 'plain'])('fits nothing when it is %j', async (stored) => {
    expect(await isPassword('', stored, CHEAP)).toBe(false);
  });

  it('is made a few at a time: of very many at once the last are refused', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => isPassword('x', null, CHEAP)));

    const refused = asked.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retry_after_ms: 2_000 } });
    expect(await isPassword('x', null, CHEAP)).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStorable, redact, text } from './text.ts';

const SECRET = 'errand_user_LKC7e1mGRVHTqzk8bgiaG9yCM9Kw1R4TFYt9';

describe('text of a length', () => {
  it.each([
    [1, 3, 'abc', true],
    [1, 3, 'abcd', false],
    [1, 3, '🦜🦜🦜', true],
    [1, 3, '🦜🦜🦜🦜', false],
    [2, 3, '🦜', false],
    [1, 3, '  a  ', true],
    [1, 3, '   ', false],
    [0, 3, '', true],
  ])('of %i to %i characters: %j is %s', (min, max, value, fits) => {
    expect(text(min, max).safeParse(value).success).toBe(fits);
  });
});

describe('a redacted text', () => {
  it('holds no credential, wherever the cut falls', () => {
    for (let before = 0; before < 320; before++) {
      const kept = redact(`${'x'.repeat(before)} ${SECRET} and Bearer abc.def`);

      expect(kept).not.toMatch(/errand_user_L|abc\.def/);
      expect(kept.length).toBeLessThanOrEqual(203);
    }
  });

  it.each([
    ['"Bearer abc.def". Then', '"[redacted]". Then'],
    ['{"a":"Bearer abc","b":1}', '{"a":"[redacted]","b":1}'],
    [String.raw`{\"a\":\"Bearer abc\"}`, String.raw`{\"a\":\"[redacted]"}`],
    ['Bearer "abc"', '[redacted]"'],
    ['Bearer a"b\'c', '[redacted]'],
    ['Bearer <abc>', '[redacted]'],
    ['Bearer <token>abc', '[redacted]'],
    ['Bearer <token>/abc', '[redacted]'],
    ['Bearer <my-secret-token>', '[redacted]'],
    ['bearer  xyz', '[redacted]'],
  ])('holds no credential behind Bearer: %s', (value, kept) => {
    expect(redact(value)).toBe(kept);
  });

  it.each(['Send "Authorization: Bearer <token>". Then', 'Bearer <your_token>', 'Bearer <ACCESS_TOKEN>, and so on'])(
    'keeps the place where a credential belongs: %s',
    (value) => {
      expect(redact(value)).toBe(value);
    },
  );

  it('can be stored whenever the text could', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 150, maxLength: 400 }), (value) => {
        fc.pre(isStorable(value));

        expect(isStorable(redact(value))).toBe(true);
      }),
    );
    expect(isStorable(redact(`x${'🦜'.repeat(400)}`))).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTerms, searchTerms } from './search-terms.ts';

const isFound = (query: string, text: string): boolean => {
  const terms = new Set(searchTerms(text));
  return queryTerms(query).every((term) => terms.has(term));
};

describe('search terms', () => {
  it.each([
    ['Fix the LOGIN, fix!', ['fix', 'the', 'login']],
    ['Größe naïve ﬁne', ['große', 'naive', 'fine']],
    ['task_id=A-42', ['task_id', 'a', '42']],
    ['ＡＢＣ １２', ['abc', '12']],
    ['ΟΔΟΣ οδος', ['οδοσ']],
    ['می\u200Cخواهم', ['میخواهم']],
    ['v2東京', ['v2', '東', '京', '東京']],
    ['한국', ['한', '국', '한국']],
    ['… — !', []],
  ])('of %j are %j', (text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  it.each([
    ['東京都の猫', '京都'],
    ['東京都の猫', '猫'],
    ['Ｅrläuterung', 'ERLAUTERUNG'],
    ['ΟΔΟΣ.Α', 'οδος'],
    ['サーバー', 'サーバ'],
    ['e\u0301t\u00E9', 'été'],
  ])('find %j by %j', (text, query) => {
    expect(isFound(query, text)).toBe(true);
  });

  it('do not find what is not there', () => {
    expect(isFound('京東', '東京都')).toBe(false);
    expect(isFound('login form', 'login page')).toBe(false);
  });

  it('find every text by each of its words', () => {
    const text = fc.array(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(...'aBσΣςß_1.東京カーか゛한국ไทยk\u212A\u0130\u0345\u1E9E'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
      }),
    );

    fc.assert(
      fc.property(text, (words) => {
        const whole = words.join(' ');

        for (const word of words) expect(isFound(word, whole)).toBe(true);
        expect(isFound(whole, whole)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('are short and bounded in number', () => {
    const long = '𝒳'.repeat(50) + '𐐨'.repeat(50);
    const many = Array.from({ length: 6000 }, (_, index) => `w${index}`).join(' ');

    expect(searchTerms(long).map((term) => [...term].length)).toEqual([40]);
    expect(searchTerms(many)).toHaveLength(5000);
    expect(queryTerms(many)).toHaveLength(12);
    expect(isFound(long, long)).toBe(true);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (...path: readonly string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8');

const rules = [...read('CONTRACT.md').matchAll(/^- \*\*(\d+\.\d+)\*\* /gm)].map(([, rule = '']) => rule);

const titles = readdirSync(join(import.meta.dirname, 'contract')).flatMap((file) =>
  [...read('contract', file).matchAll(/\bit(?:\.each\([\s\S]*?\]\))?\(\s*'([^']+)'/g)].map(([, title = '']) => title),
);

const ruleOf = (title: string): string | undefined => /^\[(\d+\.\d+)[\],]/.exec(title)?.[1];

describe('the rules of the store’s contract', () => {
  it('have one number each', () => {
    expect(rules.length).toBeGreaterThan(50);
    expect(new Set(rules).size).toBe(rules.length);
  });

  it('are each cited by a test', () => {
    const cited = new Set(titles.map(ruleOf));

    expect(rules.filter((rule) => !cited.has(rule))).toEqual([]);
  });

  it('are at the beginning of every title', () => {
    expect(titles.length).toBeGreaterThan(130);
    expect(titles.filter((title) => !rules.includes(ruleOf(title) ?? ''))).toEqual([]);
  });
});

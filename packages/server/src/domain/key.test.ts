import { describe, expect, it } from 'vitest';
import { attemptKey, freeKey, PROJECT_KEY, taskKey } from './key.ts';

function keyFor(name: string, taken: ReadonlySet<string> = new Set()) {
  const keys = freeKey(name);
  let asked = 0;
  for (let step = keys.next(); ; ) {
    if (step.done) return { key: step.value, asked };
    asked += 1;
    step = keys.next(taken.has(step.value));
  }
}

describe('the key of a project', () => {
  it.each([
    ['Website', 'WEB'],
    ['website', 'WEB'],
    ['Mobile App', 'MA'],
    ['The Big Red Book of Trees', 'TBRB'],
    ['Café', 'CAF'],
    ['Ünal Öz', 'UO'],
    ['Go', 'GO'],
    ['X', 'X1'],
    ['Проект', 'P1'],
    ['😀', 'P1'],
    ['3D printer', '3P'],
  ])('is made of the name %s: %s', (name, key) => {
    expect(keyFor(name).key).toBe(key);
    expect(key).toMatch(PROJECT_KEY);
  });

  it('has the next number when it is taken', () => {
    expect(keyFor('Website', new Set(['WEB'])).key).toBe('WEB2');
    expect(keyFor('Website', new Set(['WEB', 'WEB2', 'WEB3'])).key).toBe('WEB4');
    expect(keyFor('X', new Set(['X1'])).key).toBe('X2');
  });

  it('is found with few questions among ten thousand projects of one name', () => {
    const taken = new Set(['WEB', ...Array.from({ length: 9_999 }, (_, i) => `WEB${i + 2}`)]);

    const { key, asked } = keyFor('Website', taken);

    expect([key, asked < 40]).toEqual(['WEB10001', true]);
  });

  it('keeps to ten characters', () => {
    const taken = { has: (key: string) => key !== 'AAAA1048576' && key.length < 10 } as ReadonlySet<string>;

    expect(keyFor('A A A A', taken).key).toMatch(PROJECT_KEY);
  });
});

it('names a task and an attempt, unless one of their numbers is missing', () => {
  expect([taskKey('WEB', 12), taskKey(null, 12), taskKey('WEB', null)]).toEqual(['WEB-12', null, null]);
  expect([attemptKey('WEB-12', 2), attemptKey(null, 2), attemptKey('WEB-12', null)]).toEqual(['WEB-12.2', null, null]);
});

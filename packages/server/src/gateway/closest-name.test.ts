import { describe, expect, it } from 'vitest';
import { closestName } from './closest-name.ts';

const NAMES = ['user_id', 'title', 'description', 'due', 'titles'];

describe('the closest name', () => {
  it.each([
    ['titel', 'title'],
    ['titles_', 'titles'],
    ['userId', 'user_id'],
    ['USER-ID', 'user_id'],
    ['desciption', 'description'],
    ['du', 'due'],
  ])('of %s is %s', (typed, meant) => {
    expect(closestName(typed, NAMES)).toBe(meant);
  });

  it.each(['name', 'dxx', 'summary', '', 'x'.repeat(1_000)])('of %j is none', (typed) => {
    expect(closestName(typed, NAMES)).toBeNull();
  });
});

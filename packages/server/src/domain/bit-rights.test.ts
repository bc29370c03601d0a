import { expect, it } from 'vitest';
import { FOR_PREVIOUS_RELEASE, readBitRights } from './bit-rights.ts';

it.each([
  ['an unknown bit', { acts_for: 'self', reach_key: `project-1:${1 << 22}` }],
  ['more than bits', { acts_for: 'self', reach_key: 'project-1:4;5' }],
  ['no bits', { acts_for: 'self', reach_key: 'project-1' }],
  ['a project that is missing', { acts_for: 'self', reach_key: 'project-1:4,' }],
  ['another form', { acts_for: ['ann'], reach_key: '*' }],
])('reads nothing from rights with %s', (_, stored) => {
  expect(readBitRights(stored)).toBeNull();
});

it('reads records without rights as rights to everything', () => {
  expect(readBitRights({})).toMatchObject({ acts_for: '*', projects: 'all' });
});

it('reads the rights of a token that speaks for no person', () => {
  expect(readBitRights({ acts_for: '', reach_key: '' })).toMatchObject({ acts_for: [], projects: [] });
});

it('asks for every right where the previous release reads new records', () => {
  expect(readBitRights(FOR_PREVIOUS_RELEASE)).toMatchObject({ acts_for: '*', projects: 'all' });
});

import { expect, it } from 'vitest';
import type { Entry } from '../api/activity.ts';
import { activityViewIn, filterOf, matches, nameOf, pageOf, shortOf, throughOf, whoOf } from './entries.ts';

it('names the agent before the person it works for, and strangers as such', () => {
  expect(whoOf({ actor_kind: 'agent', agent_name: 'atlas', user_name: 'Ana' })).toBe('atlas');
  expect(whoOf({ actor_kind: 'user', agent_name: null, user_name: 'Ana' })).toBe('Ana');
  expect(whoOf({ actor_kind: 'stranger', agent_name: null, user_name: 'Ana' })).toBe('a stranger');
});

it('names the client that a change was made with', () => {
  expect(throughOf({ actor_kind: 'agent', token_id: '1234-c41e', action: 'merge_attempt' })).toBe('token …c41e');
  expect(throughOf({ actor_kind: 'local', token_id: null, action: 'merge_attempt' })).toBe('at the machine');
  expect(throughOf({ actor_kind: 'user', token_id: null, action: 'merge_attempt.done' })).toBe('by Errand');
});

it('links the changed thing, where it has a page', () => {
  expect(pageOf({ entity: 'work_item', entity_id: '7', entity_name: 'WEB-7' })).toBe('/t/7');
  expect(pageOf({ entity: 'agent', entity_id: '7', entity_name: null })).toBe('/agents/7');
  expect(pageOf({ entity: 'approval', entity_id: '7', entity_name: 'WEB-7.2' })).toBe('/a/WEB-7.2');
  expect(pageOf({ entity: 'label', entity_id: '7', entity_name: null })).toBeNull();
  expect(pageOf({ entity: 'attempt', entity_id: null, entity_name: null })).toBeNull();
});

it('names a thing without a name by the end of its id, and shows an unknown key whole', () => {
  expect(nameOf({ entity: 'work_item', entity_id: '0198c9aa-8f3e', entity_name: null })).toBe('task …a-8f3e');
  expect(nameOf({ entity: 'work_item', entity_id: 'SHOP-999', entity_name: null })).toBe('task SHOP-999');
});

it('keeps of an address only what it knows', () => {
  expect(activityViewIn({ user: 'u', refused: true, action: '', when: 'never', x: 1 })).toEqual({
    user: 'u',
    refused: true,
  });
  expect(activityViewIn({ when: 'week', project: 'WEB' })).toEqual({ when: 'week', project: 'WEB' });
  expect(shortOf('9c41aaaaaaaaaaaaaa77e0')).toBe('9c41…77e0');
});

it('asks for what was done since the beginning of today, or of the day six days ago', () => {
  const noon = new Date(2026, 10, 19, 12).getTime();

  expect(filterOf({ when: 'today', action: 'a', q: 'x' }, noon)).toEqual({
    action: 'a',
    since: new Date(2026, 10, 19).toISOString(),
  });
  expect(filterOf({ when: 'week' }, noon)).toEqual({ since: new Date(2026, 10, 13).toISOString() });
  expect(filterOf({ user: 'u' }, noon)).toEqual({ user: 'u' });
});

it('finds what was done to a project, its tasks and their attempts', () => {
  const web = { key: 'WEB', name: 'Website' };
  const about = (entity: string, entity_name: string | null) =>
    // The test reads no other fields.
    matches({ entity, entity_name } as Entry, { project: web });

  expect(about('project', 'Website')).toBe(true);
  expect(about('work_item', 'WEB-7')).toBe(true);
  expect(about('attempt', 'WEB-7.2')).toBe(true);
  expect(about('work_item', 'WEBSITE-7')).toBe(false);
  expect(about('agent', 'Website')).toBe(false);
  expect(about('token', null)).toBe(false);
});

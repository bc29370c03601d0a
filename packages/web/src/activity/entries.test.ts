import { expect, it } from 'vitest';
import type { Entry } from '../api/activity.ts';
import { activityViewIn, filterOf, matches, nameOf, pageOf, saidIn, shortOf, throughOf, whoOf } from './entries.ts';

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
  const about = (entity: string, entity_name: string | null, entity_project: string | null = null) =>
    pageOf({ entity, entity_id: '7', entity_name, entity_project });

  expect(about('work_item', 'WEB-7')).toBe('/t/WEB-7');
  expect(about('agent', 'atlas')).toBe('/agents/7');
  expect(about('approval', 'WEB-7.2')).toBe('/a/WEB-7.2');
  expect(about('approval', 'WEB-7')).toBe('/t/WEB-7');
  expect(about('label', 'docs', 'WEB')).toBe('/p/WEB/settings');
  expect(about('user', 'Ana')).toBe('/settings');
});

it('links nothing that is gone, and a task that a refused caller has named by its key', () => {
  const gone = { entity: 'work_item', entity_name: null, entity_project: null };

  expect(pageOf({ ...gone, entity_id: '0198c9aa-8f3e' })).toBeNull();
  expect(pageOf({ ...gone, entity_id: 'WEB-7' })).toBe('/t/WEB-7');
  expect(pageOf({ ...gone, entity: null, entity_id: null })).toBeNull();
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

it('finds what was done to a project, its tasks, its labels and their attempts', () => {
  const about = (entity_project: string | null) =>
    // The test reads no other fields.
    matches({ entity_project } as Entry, { project: { key: 'WEB' } });

  expect([about('WEB'), about('SHOP'), about(null)]).toEqual([true, false, false]);
});

it('finds the words of a message, and shows of an answered question the answer', () => {
  const asked = { action: 'ask_person', entity_words: 'Which port?', entity_answer: '5432' };

  // The test reads no other fields.
  expect(matches(asked as Entry, { q: 'port' })).toBe(true);
  expect(matches(asked as Entry, { q: '5432' })).toBe(true);
  expect(matches(asked as Entry, { q: 'host' })).toBe(false);
  expect(saidIn(asked)).toBe('Which port?');
  expect(saidIn({ ...asked, action: 'respond_approval' })).toBe('5432');
  expect(saidIn({ action: 'update_task', entity_words: null, entity_answer: null })).toBeNull();
});

it('says what a thing is whose name alone does not tell it', () => {
  expect(nameOf({ entity: 'label', entity_id: '7', entity_name: 'docs' })).toBe('the label docs');
  expect(nameOf({ entity: 'user', entity_id: '7', entity_name: 'Ana' })).toBe('Ana');
});

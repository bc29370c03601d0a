import { expect, it } from 'vitest';
import { activityViewIn, pageOf, shortOf, throughOf, whoOf } from './entries.ts';

it('names the agent before the person it works for, and strangers as such', () => {
  expect(whoOf({ actor_kind: 'agent', agent_name: 'atlas', user_name: 'Ana' })).toBe('atlas');
  expect(whoOf({ actor_kind: 'user', agent_name: null, user_name: 'Ana' })).toBe('Ana');
  expect(whoOf({ actor_kind: 'stranger', agent_name: null, user_name: 'Ana' })).toBe('a stranger');
});

it('says through what it was done', () => {
  expect(throughOf({ actor_kind: 'agent', token_id: '1234-c41e' })).toBe('token …c41e');
  expect(throughOf({ actor_kind: 'local', token_id: null })).toBe('at the machine');
});

it('leads to what was changed, where that has a page', () => {
  expect(pageOf({ entity: 'work_item', entity_id: '7', entity_name: 'WEB-7' })).toBe('/t/7');
  expect(pageOf({ entity: 'agent', entity_id: '7', entity_name: null })).toBe('/agents/7');
  expect(pageOf({ entity: 'approval', entity_id: '7', entity_name: 'WEB-7.2' })).toBe('/a/WEB-7.2');
  expect(pageOf({ entity: 'label', entity_id: '7', entity_name: null })).toBeNull();
  expect(pageOf({ entity: 'attempt', entity_id: null, entity_name: null })).toBeNull();
});

it('keeps of an address only what it knows', () => {
  expect(activityViewIn({ user: 'u', refused: true, action: '', x: 1 })).toEqual({ user: 'u', refused: true });
  expect(shortOf('9c41aaaaaaaaaaaaaa77e0')).toBe('9c41…77e0');
});

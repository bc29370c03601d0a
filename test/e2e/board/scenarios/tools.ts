import { expect } from 'vitest';
import { answersOf, argumentsOf } from '../schema.ts';
import type { Scenario } from '../stage.ts';

const SEEDED = [
  'list_projects',
  'list_repos',
  'list_tasks',
  'list_task_attempts',
  'get_task',
  'create_task',
  'update_task',
  'delete_task',
  'start_task_attempt',
  'follow_up',
];
const OURS = [
  'get_attempt',
  'tail_attempt',
  'stop_attempt',
  'remove_attempt',
  'list_executors',
  'respond_approval',
  'next_task',
];

export const TOOLS: readonly Scenario[] = [
  {
    cites: ['B-TOOLS-1', 'B-TOOLS-S1'],
    title: 'the tools are offered by the names of their specification',
    play: async ({ client }) => {
      const names = (await client.list()).map(({ name }) => name);

      expect(names).toEqual(expect.arrayContaining([...SEEDED, ...OURS]));
    },
  },
  {
    cites: ['B-TOOLS-2'],
    title: 'get_context is neither listed nor answered for a caller outside of an attempt',
    play: async ({ client, way, refused }) => {
      const shown = (await client.list()).map(({ name }) => name);

      expect(await refused('get_context', {})).toMatchObject({ code: 'insufficient_scope' });
      expect(shown.includes('get_context')).toBe(!way.is_mcp);
    },
  },
  {
    cites: ['B-DOCS-1', 'B-DOCS-S1', 'B-ATTEMPT-1', 'B-ATTEMPT-2', 'B-ATTEMPT-3', 'B-ATTEMPT-4'],
    title: 'the schemas describe every field, ids in answers as UUIDs and times as RFC 3339, and speak of attempts',
    play: async ({ client }) => {
      const tools = (await client.list()).filter(({ name }) => [...SEEDED, ...OURS].includes(name));
      const given = tools.flatMap(argumentsOf);
      const answers = tools.flatMap(answersOf);
      const all = [...given, ...answers];
      const ids = given.filter(({ name }) => name.endsWith('_id'));
      const times = all.filter(({ name }) => name.endsWith('_at'));
      const placesOf = (fields: typeof all) => fields.map(({ place }) => place);

      expect(all.length).toBeGreaterThan(100);
      expect(placesOf(all)).toContain('list_task_attempts →.attempts[].attempt_id');
      expect(placesOf(all.filter(({ description }) => description === ''))).toEqual([]);
      expect(placesOf(ids.filter(({ description }) => !/\bid\b/.test(description)))).toEqual([]);
      expect(placesOf(times.filter(({ description }) => !description.includes('RFC 3339')))).toEqual([]);
      expect(
        placesOf(answers.filter(({ name, formats }) => name.endsWith('_id') && formats.join() !== 'uuid')),
      ).toEqual([]);
      expect(
        placesOf(answers.filter(({ name, formats }) => name.endsWith('_at') && formats.join() !== 'date-time')),
      ).toEqual([]);
      expect(JSON.stringify(tools)).not.toContain('workspace_id');
    },
  },
];

import { expect } from 'vitest';
import type { Scenario, Stage } from '../stage.ts';

interface Listed {
  readonly project_id: string;
  readonly key: string;
}

const keyOf = async ({ call, project_id }: Stage): Promise<string> => {
  const { projects } = (await call('list_projects', { limit: 200 })) as unknown as { projects: readonly Listed[] };
  return projects.find((project) => project.project_id === project_id)?.key ?? expect.unreachable();
};

export const KEYS: readonly Scenario[] = [
  {
    cites: ['L-KEY'],
    title: 'a project and its tasks are named by key, by the start of their id and in any case',
    play: async (stage) => {
      const { call, refused } = stage;
      const key = await keyOf(stage);
      const made = await call('create_task', { project_id: key.toLowerCase(), title: 'First' });
      const [, number] = String(made.key).split('-');
      const next = `${key}-${Number(number) + 1}`;

      const second = await call('create_task', { project_id: key, title: 'Second', blocked_by: [made.key] });
      const renamed = await call('update_task', { task_id: next.toLowerCase(), title: 'Renamed' });
      const byStart = await call('get_task', { task_id: String(second.task_id).slice(0, -4) });
      const unknown = await refused('get_task', { task_id: `${key}-999999` });
      const nothing = await refused('get_task', { task_id: 'NONE-1' });

      expect(second).toMatchObject({ key: next });
      expect(renamed).toMatchObject({ task_id: second.task_id, key: next, title: 'Renamed' });
      expect(byStart).toMatchObject({ task_id: second.task_id, blocked_by: [{ key: made.key }] });
      expect(unknown).toMatchObject({ code: 'not_found' });
      expect(nothing.message).toBe(unknown.message.replace(`${key}-999999`, 'NONE-1'));
    },
  },
  {
    cites: ['L-KEY'],
    title: 'a start of an id that several tasks have is refused with their keys',
    play: async (stage) => {
      const { call, refused, project_id } = stage;
      const tasks = [
        await call('create_task', { project_id, title: 'One' }),
        await call('create_task', { project_id, title: 'Two' }),
      ];

      const error = await refused('get_task', { task_id: String(tasks[0]?.task_id).slice(0, 6) });

      expect(error).toMatchObject({ code: 'ambiguous', message: expect.stringContaining('can mean') });
      const { field, candidates } = error.details as { field: string; candidates: readonly { key: string }[] };
      expect(field).toBe('task_id');
      expect(candidates.map(({ key }) => /^[A-Z0-9]{2,10}-\d+$/.test(key))).toEqual(candidates.map(() => true));
      expect(candidates.length).toBeGreaterThan(1);
    },
  },
];

import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { NO_LIST } from './words.ts';

const described = (cites: Scenario['cites'], tool: string, words: readonly string[]): Scenario => ({
  cites,
  title: `${tool} says where ${words.join(' and ')} come from`,
  not_over: NO_LIST,
  play: async ({ list }) => {
    const { description = '' } = (await list()).find(({ name }) => name === tool) ?? {};

    for (const word of words) expect(description).toContain(word);
  },
});

/** The tool listings for agents. */
export const LISTING: readonly Scenario[] = [
  {
    cites: ['R1.4'],
    title: 'lists four tools and what each needs',
    not_over: NO_LIST,
    play: async ({ list }) => {
      const tools = await list();

      expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]))).toEqual({
        update_execution_session: ['execution_id', 'session_id'],
        create_step: ['execution_id', 'step_name'],
        update_step: ['execution_id', 'step_id'],
        health_check: [],
      });
    },
  },
  described(['R1.5', 'R1.6'], 'update_execution_session', ['NOVA_EXECUTION_ID', 'skill tool']),
  described(['R2.9'], 'create_step', ['NOVA_EXECUTION_ID']),
  described(['R3.7'], 'update_step', ['NOVA_EXECUTION_ID']),
];

import { expect } from 'vitest';
import { type Scenario, taken } from '../scenario.ts';
import type { Carrier } from '../ways.ts';

const CLIENT: Readonly<Record<Carrier, string>> = {
  'HTTP client': 'http',
  'mock client': 'mock',
  'in-process client': 'in_process',
  server: 'in_process',
  REST: 'in_process',
  'Task Manager API': 'in_process',
};

const NO_ADDRESS = 'what is asked has no address of its own';

/** Health checks. */
export const HEALTH: readonly Scenario[] = [
  {
    cites: ['R4.1', 'R5.1'],
    title: 'says that the Task Manager is healthy, and which client asked it',
    play: async ({ call, carrier }) => {
      const data = await taken(call('health_check', {}));

      expect(data).toMatchObject({ status: 'healthy', client: CLIENT[carrier] });
      if (carrier !== 'HTTP client') expect(data).not.toHaveProperty('config');
    },
  },
  {
    cites: ['R4.2'],
    title: 'says where the Task Manager is',
    not_over: {
      'mock client': NO_ADDRESS,
      'in-process client': NO_ADDRESS,
      server: NO_ADDRESS,
      REST: NO_ADDRESS,
      'Task Manager API': NO_ADDRESS,
    },
    play: async ({ call, origin }) => {
      const data = await taken(call('health_check', {}));

      const { hostname, port } = new URL(origin);
      expect(data.config).toEqual({ host: hostname, port: Number(port), base_url: origin });
    },
  },
];

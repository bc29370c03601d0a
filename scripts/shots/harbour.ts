import { join } from 'node:path';
import { openSqliteStore } from '../../packages/server/src/store/sql/sqlite/open-sqlite-store.ts';
import { anExecutor, aWorker } from '../../packages/server/src/testing/attempts.ts';
import { createServed } from '../../packages/server/src/testing/served.ts';
import { createSchedule, DAY, NOW } from './schedule.ts';

const WORK = [
  'board:read',
  'board:write',
  'execution:report',
  'todo:read',
  'todo:write',
  'issue:structured_blocks:write',
  'issue:read',
];

/** The agents of the design: who they are, for whom and where they work, and how long their token works from twelve days before. */
const AGENTS = {
  atlas: { owner: 'Ana Ruiz', client: 'Claude Code 2.1.325', executor: 'claude', in: ['SHOP', 'PAY'], life: '74d' },
  kite: { owner: 'Ana Ruiz', client: 'Codex 0.166.0', executor: 'codex', in: ['SHOP'], life: '74d' },
  juno: { owner: 'Sam Okoro', client: 'Gemini CLI 0.61.0', executor: 'gemini', in: ['SHOP', 'DOCS'], life: '39d' },
  scout: {
    owner: 'Ana Ruiz',
    client: 'Claude Code 2.1.325',
    executor: 'claude',
    in: ['SHOP', 'PAY', 'DOCS'],
    life: '74d',
  },
  tally: { owner: 'Ines Park', client: 'Cline 3.0.65', executor: 'cline', in: ['PAY'], life: '24d' },
  pixel: { owner: 'Ines Park', client: 'Copilot CLI 1.0.102', executor: 'copilot', in: ['SHOP'], life: '17268m' },
  moss: { owner: 'Sam Okoro', client: 'opencode 1.18.33', executor: 'opencode', in: ['SHOP', 'PAY'], life: '42d' },
  fern: { owner: 'Sam Okoro', client: 'Qwen Code 0.15.10', executor: 'qwen', in: ['DOCS'], life: '102d' },
} as const;
export type AgentName = keyof typeof AGENTS;
export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];

const EXECUTORS = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  qwen: 'Qwen Code',
};
const OTHERS = { copilot: 'Copilot CLI', cline: 'Cline' };

const PROJECTS = { SHOP: 'Storefront', PAY: 'Payouts', DOCS: 'Docs' } as const;
export type ProjectKey = keyof typeof PROJECTS;

const LABELS = ['billing', 'performance', 'docs', 'web', 'backend', 'payments', 'i18n', 'security', 'search'];

const PROTOCOLS: Readonly<Record<string, string>> = {
  'Claude Code': '2026-07-28',
  'Copilot CLI': '2026-07-28',
  opencode: '2025-11-25',
  Cline: '2024-11-05',
};

// Safe: it is a name of an agent.
const agentOf = (name: string) => (Object.hasOwn(AGENTS, name) ? AGENTS[name as AgentName] : undefined);

type Fields = Readonly<Record<string, unknown>>;

/** Harbour is the name of the invented workspace: the whole product on a fresh database, with the people, projects and agents of the design. */
export async function openHarbour(folder: string) {
  const time = { now: NOW - 12 * DAY };
  const served = await createServed(
    {},
    { clock: () => time.now, open: (options) => openSqliteStore({ ...options, path: join(folder, 'errand.db') }) },
  );
  const { world } = served;
  const { ask } = world;
  await ask('admin_update_workspace', { name: 'Harbour' });
  await ask('admin_update_user', { user_id: 'owner', name: 'Ana Ruiz' });

  const people = new Map<string, string>([['Ana Ruiz', String(world.owner.user_id)]]);
  for (const name of ['Sam Okoro', 'Ines Park']) {
    people.set(name, String((await ask('admin_add_user', { name, role: 'admin' })).user_id));
  }
  const projects = new Map<ProjectKey, string>();
  const repos = new Map<ProjectKey, string>();
  const labels = new Map<string, string>();
  for (const [key, name] of Object.entries(PROJECTS) as [ProjectKey, string][]) {
    const { project_id } = await ask('admin_add_project', { key, name });
    projects.set(key, String(project_id));
    const path = `/repos/${name.toLowerCase()}`;
    repos.set(key, String((await ask('admin_add_repo', { project_id, path, target_branch: 'main' })).repo_id));
    for (const user_id of people.values()) await ask('admin_add_member', { project_id, user_id });
    for (const label of key === 'SHOP' ? LABELS : []) {
      labels.set(label, String((await ask('admin_add_label', { project_id, name: label })).label_id));
    }
  }

  const tokens = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const name of AGENT_NAMES) {
    const { owner, in: where, life } = AGENTS[name];
    const made = await ask('admin_create_agent', {
      name,
      owner_id: people.get(owner),
      project_ids: where.map((key) => projects.get(key)),
      scopes: [...WORK, 'board:run'],
      can_complete: true,
      expires_in: life,
    });
    tokens.set(name, String(made.token));
    ids.set(name, String(made.agent_id));
  }
  for (const [name, user_id] of people) {
    if (name === 'Ana Ruiz') continue;
    const { token } = await world.token({
      name: 'laptop',
      user_id,
      scopes: [...WORK, 'board:run', 'issue:update', 'admin'],
    });
    tokens.set(name, String(token));
  }

  const ready = Object.entries(EXECUTORS).map(([executor, title]) => anExecutor({ executor, title, variants: [] }));
  const away = Object.entries(OTHERS).map(([executor, title]) => anExecutor({ executor, title, variants: [] }));
  const worker = await aWorker(world, [...ready, ...away]);

  /** Agents call over MCP, with the client that they run in; people over REST, as the board does. */
  const asClient = (who: string): typeof ask => {
    const [, title = '', version = ''] = /^(.+) (\S+)$/.exec(agentOf(who)?.client ?? '') ?? [];
    if (title === '') return ask;
    const client = { client: { title, version }, protocol_version: PROTOCOLS[title] ?? '2025-06-18' };
    return async (name, input, caller = world.owner) => {
      const tool = world.gateway.find(name, 'all');
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const outcome = await world.gateway.dispatch({ caller, tool, input, transport: 'mcp-http', client });
      if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code}`);
      return JSON.parse(outcome.json) as Record<string, unknown>;
    };
  };

  let keys = 0;
  /** A call of a tool, as somebody. Changes of cards need a key, which is made here. */
  const as = async (who: string, name: string, input: Fields): Promise<Fields> => {
    keys += 1;
    const token = tokens.get(who);
    const caller = token === undefined ? world.owner : await world.gateway.authenticate(token);
    const needsKey = name.startsWith('tasker_') && !/_(?:get|list|search)_/.test(name);
    return asClient(who)(name, { ...input, ...(needsKey && { idempotency_key: `shots-${keys}` }) }, caller);
  };

  /** The cookie of somebody who signs in by a link, as a browser that asks for it. */
  const signIn = async (user: string): Promise<string> => {
    const { key } = await ask('admin_create_sign_in', { user_id: people.get(user) });
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36',
    };
    const { headers: got } = await fetch(`${served.url}/?key=${String(key)}`, { redirect: 'manual', headers });
    return got.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const cookies = new Map<string, string>();

  return {
    ...served,
    time,
    signIn,
    cookies,
    schedule: createSchedule(time),
    as,
    worker,
    people,
    projects,
    repos,
    labels,
    agents: ids,
    AGENTS,
  };
}

export type Harbour = Awaited<ReturnType<typeof openHarbour>>;

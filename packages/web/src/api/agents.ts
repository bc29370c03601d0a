import { queryOptions } from '@tanstack/react-query';
import {
  type AdminListAgentsAnswer,
  type AdminShowAgentAnswer,
  adminListAgentCalls,
  adminListAgents,
  adminListAudit,
  adminListUsers,
  adminShowAgent,
  agentSessionSetup,
  listRuns,
} from 'errand/client';
import { answerOf } from 'errand/client/answer';

export type ListedAgent = AdminListAgentsAnswer['agents'][number];
export type Agent = AdminShowAgentAnswer;
export type Scope = Agent['grants'][number]['scopes'][number];

const PAGE = 200;

/** All agents of the workspace: page after page, since people look for them by name. */
export const agentsQuery = queryOptions({
  queryKey: ['agents', 'list'],
  queryFn: async ({ signal }) => {
    const agents: ListedAgent[] = [];
    let cursor: string | undefined;
    do {
      const page = await answerOf(
        adminListAgents({ limit: PAGE, ...(cursor !== undefined && { cursor }) }, { signal }),
      );
      agents.push(...page.agents);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return agents;
  },
});

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) => answerOf(adminShowAgent(id, { signal })),
  });

/** The newest run of an agent, which says in which program it works. */
export const lastRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'last-run', id],
    queryFn: async ({ signal }) => (await answerOf(listRuns({ agentId: id, limit: 1 }, { signal }))).runs,
  });

/** The latest calls of an agent. They are asked for again and again, because a call is no change and makes no event. */
export const agentCallsQuery = (id: string, every: number | false = false) =>
  queryOptions({
    queryKey: ['agents', 'calls', id],
    queryFn: ({ signal }) => answerOf(adminListAgentCalls(id, { signal })),
    refetchInterval: every,
    staleTime: 5_000,
  });

/** The calls of an agent that were refused, from the audit trail. */
export const refusedCallsQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'refused', id],
    queryFn: ({ signal }) => answerOf(adminListAudit({ agentId: id, outcome: 'denied', limit: 10 }, { signal })),
    staleTime: 5_000,
  });

/** The names of people, by id. */
export const peopleQuery = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async ({ signal }) => {
    const { users } = await answerOf(adminListUsers({ limit: PAGE }, { signal }));
    return new Map(users.map(({ user_id, name }) => [user_id, name]));
  },
});

/** What an agent sees, and the rules for its AGENTS.md. */
export const agentSetupQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'setup', id],
    queryFn: ({ signal }) => answerOf(agentSessionSetup({ agentId: id }, { signal })),
  });

/** What an agent with these scopes sees, and how it is connected. */
export const agentViewQuery = (scopes: readonly Scope[]) =>
  queryOptions({
    queryKey: ['agents', 'view', scopes.toSorted().join()],
    enabled: scopes.length > 0,
    queryFn: ({ signal }) => answerOf(agentSessionSetup({ scopes: scopes.join() }, { signal })),
    placeholderData: (before) => before,
  });

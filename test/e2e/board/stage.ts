import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { RequirementId } from '../../requirements.ts';
import type { Arguments } from '../client.ts';
import { bearer, send } from '../http.ts';
import { fieldsIn } from './schema.ts';
import type { Fields, Site } from './site.ts';
import type { BoardClient, Way } from './ways.ts';

const LOOK_EVERY_MS = 100;

export interface Started {
  readonly task_id: string;
  readonly attempt_id: string;
  readonly session_id: string;
  readonly execution_id: string;
}

interface Start {
  readonly task_id?: string;
  readonly executor?: 'scripted' | 'asking';
}

/** The fields of an attempt that tests read. */
export interface SeenAttempt extends Fields {
  readonly workspace_branch: string;
  readonly task: { readonly status: string };
  readonly run: { readonly execution_id: string; readonly status: string; readonly ended_at: string | null };
  readonly approvals: readonly { readonly approval_id: string; readonly question: string }[];
}

/** The project of one scenario, and a client of the tested transport. */
export interface Stage {
  readonly site: Site;
  readonly way: Way;
  readonly client: BoardClient;
  readonly project_id: string;
  readonly repo_id: string;
  /** Calls a tool that must succeed. Returns the answer. */
  readonly call: (tool: string, args: Arguments) => Promise<Fields>;
  /** Calls a tool that must be refused. Returns the error. */
  readonly refused: (tool: string, args: Arguments) => Promise<WireError>;
  readonly task: (title?: string) => Promise<string>;
  /** Starts an agent with these instructions, on a new task unless one is given. */
  readonly start: (instructions: readonly string[], options?: Start) => Promise<Started>;
  /** Waits until the attempt meets the condition. */
  readonly until: (attempt_id: string, isSo: (attempt: SeenAttempt) => boolean) => Promise<SeenAttempt>;
  /** Waits until nothing of the attempt runs or waits. */
  readonly rested: (attempt_id: string) => Promise<SeenAttempt>;
  /** Returns the agent's messages of all runs, oldest first. */
  readonly said: (attempt_id: string) => Promise<readonly string[]>;
}

export interface Scenario {
  readonly cites: readonly RequirementId[];
  readonly title: string;
  readonly play: (stage: Stage) => Promise<void>;
}

export const isResting = ({ run }: SeenAttempt): boolean => run.ended_at !== null;
export const isAsking = ({ approvals }: SeenAttempt): boolean => approvals.length > 0;

export async function openStage(site: Site, way: Way, client: BoardClient): Promise<Stage> {
  const { project_id, repo_id } = await site.project();

  const call: Stage['call'] = async (tool, args) => {
    const answer = await client.call(tool, args);
    if (!answer.ok) throw new Error(`${tool} was refused: ${JSON.stringify(answer.error)}`);
    expect(fieldsIn(answer.value).map(({ name }) => name)).not.toContain('workspace_id');
    return answer.value;
  };
  const task: Stage['task'] = async (title = 'Greet') =>
    String((await call('create_task', { project_id, title })).task_id);
  const until: Stage['until'] = async (attempt_id, isSo) => {
    for (;;) {
      const attempt = (await call('get_attempt', { attempt_id })) as SeenAttempt;
      if (isSo(attempt)) return attempt;
      await pause(LOOK_EVERY_MS);
    }
  };

  return {
    ...{ site, way, client, project_id, repo_id, call, task, until },
    refused: async (tool, args) => {
      const answer = await client.call(tool, args);
      if (answer.ok) throw new Error(`${tool} was not refused: ${JSON.stringify(answer.value)}`);
      return answer.error;
    },
    start: async (instructions, { task_id, executor = 'scripted' } = {}) => {
      const prompt = instructions.join('\n');
      const input = { task_id: task_id ?? (await task()), executor, prompt, repos: [{ repo_id }] };
      return (await call('start_task_attempt', input)) as Fields & Started;
    },
    rested: (attempt_id) => until(attempt_id, isResting),
    said: async (attempt_id) => {
      const { entries } = await call('tail_attempt', { attempt_id, limit: 200 });
      return (entries as readonly { readonly kind: string; readonly text: string }[])
        .filter(({ kind }) => kind === 'output' || kind === 'message')
        .flatMap(({ text }) => text.trimEnd().split('\n'));
    },
  };
}

/** Returns the complete entries of a run: lists of the board show only the beginning of each. */
export async function feedOf({ origin, token }: Site, execution_id: string): Promise<readonly string[]> {
  const path = `/api/v1/executions/${execution_id}/feed?limit=200`;
  const { status, text } = await send(origin, { method: 'GET', path, headers: bearer(token) });
  expect(status, text).toBe(200);
  const { entries } = JSON.parse(text) as { readonly entries: readonly { readonly text: string }[] };
  return entries.map((entry) => entry.text.trimEnd());
}

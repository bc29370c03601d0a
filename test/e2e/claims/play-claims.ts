import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../durability/random.ts';
import { callOnce, type Learned } from '../two-servers/call.ts';
import { type Fields, SERVERS, type TwoServers } from '../two-servers/two-servers.ts';
import type { ClaimCall } from './claim-model.ts';
import type { EndLease } from './end-lease.ts';

/** An agent, with its token. */
export interface Player {
  readonly name: string;
  readonly token: string;
}

/** The tasks of one round, and what happened to each of them. */
export interface Round {
  readonly projects: ReadonlyMap<string, readonly string[]>;
  readonly calls: Map<string, ClaimCall[]>;
  readonly faults: string[];
  /** How many calls are still to be made. */
  left: number;
  made: number;
}

interface Game {
  readonly servers: TwoServers;
  readonly endLease: EndLease;
  readonly random: Random;
}

const RETRY_MS = 20;
const TRIES = 500;
/** The share of calls without an answer that the client repeats under their key, to learn what they did. */
const RETRIED = 0.5;
/** How often a client gives an epoch that it had before. */
const OLD_EPOCH = 0.25;

/** Makes calls about the tasks of the round until enough are made. */
export async function playClaims({ servers, endLease, random }: Game, { name, token }: Player, round: Round) {
  const tasks = [...round.projects.values()].flat();
  const epochs = new Map<string, number[]>();

  async function learn(tool: string, args: object): Promise<Learned> {
    const at = random.pick(SERVERS);
    const keyed = { ...args, ...(tool !== 'get_task' && { idempotency_key: randomUUID() }) };
    const first = await callOnce({ origin: servers.origin(at), token, tool, args: keyed });
    if (first.kind !== 'unknown' || random.next() > RETRIED) return first;
    for (let tries = 0; tries < TRIES; tries++) {
      await sleep(RETRY_MS);
      const again = await callOnce({ origin: servers.origin(at), token, tool, args: keyed });
      if (again.kind === 'ok' || again.kind === 'refused') return again;
    }
    throw new Error(`${tool} got no answer though a server is up.`);
  }

  const note = (task: string, call: ClaimCall): void => {
    const calls = round.calls.get(task);
    if (calls === undefined) round.faults.push(`${name} was given ${task}, which is none of its tasks`);
    else calls.push(call);
  };

  /** Refusals that are no part of the game are faults. */
  function answerOf<Answer>(
    learned: Learned,
    code: string,
    read: (value: Fields) => Answer,
  ): Answer | 'refused' | null {
    if (learned.kind === 'ok') return read(learned.value);
    if (learned.kind !== 'refused') return null;
    if (learned.code !== code) round.faults.push(`${name} was refused: ${learned.text}`);
    return 'refused';
  }

  const taken = (value: Fields) => {
    // The shapes are those of the tool's answer.
    const { task_id, title } = value.task as { task_id: string; title: string };
    const { epoch } = value.claim as { epoch: number };
    epochs.set(task_id, [...(epochs.get(task_id) ?? []), epoch]);
    return { task_id, epoch, title };
  };

  async function takeAny(): Promise<void> {
    const [project_id, own] = random.pick([...round.projects]);
    const called = performance.now();
    const learned = await learn('next_task', { project_id });
    if (learned.kind === 'unsent') return;
    const returned = learned.kind === 'unknown' ? Infinity : performance.now();
    const times = { by: name, called, returned };
    if (learned.kind === 'ok' && learned.value.task === null) {
      for (const task of own) note(task, { ...times, does: 'find none' });
      return;
    }
    const answer = answerOf(learned, '', taken);
    if (answer === 'refused') return;
    // Without an answer it may be any of them.
    if (answer === null) for (const task of own) note(task, { ...times, does: 'take', is_named: false, answer });
    else note(answer.task_id, { ...times, does: 'take', is_named: false, answer });
  }

  async function take(task: string): Promise<void> {
    const called = performance.now();
    const learned = await learn('next_task', { task_id: task });
    if (learned.kind === 'unsent') return;
    const returned = learned.kind === 'unknown' ? Infinity : performance.now();
    const answer = answerOf(learned, 'conflict', taken);
    note(task, { by: name, called, returned, does: 'take', is_named: true, answer });
  }

  async function update(task: string, fields: { title?: string; status?: 'todo' | 'done'; epoch?: number }) {
    const { epoch, ...changes } = fields;
    const called = performance.now();
    const learned = await learn('update_task', {
      task_id: task,
      ...changes,
      ...(epoch !== undefined && { claim_epoch: epoch }),
    });
    if (learned.kind === 'unsent') return;
    const returned = learned.kind === 'unknown' ? Infinity : performance.now();
    const code = epoch === undefined ? 'conflict' : 'claim_lost';
    const answer = answerOf(learned, code, ({ title }) => ({ title: String(title) }));
    note(task, { by: name, called, returned, does: 'update', ...fields, answer });
  }

  async function read(task: string): Promise<void> {
    const called = performance.now();
    const learned = await learn('get_task', { task_id: task });
    if (learned.kind !== 'ok') return;
    const { status, claim, title } = learned.value;
    const epoch = claim === null ? null : (claim as { epoch: number }).epoch;
    const answer = { is_over: status === 'done', epoch, title: String(title) };
    note(task, { by: name, called, returned: performance.now(), does: 'read', answer });
  }

  async function lapse(task: string): Promise<void> {
    const called = performance.now();
    const was_held = await endLease(task);
    note(task, { by: name, called, returned: performance.now(), does: 'lapse', answer: { was_held } });
  }

  /** An epoch that this client was given for the task, mostly the last; undefined if it had none. */
  function epochOf(task: string): number | undefined {
    const had = epochs.get(task);
    if (had === undefined) return undefined;
    return random.next() < OLD_EPOCH ? random.pick(had) : had.at(-1);
  }

  const aTitle = (): string => `${name} ${random.between(0, 999_999)}`;
  async function turn(): Promise<void> {
    const mine = [...epochs.keys()];
    const task = mine.length > 0 && random.next() < 0.7 ? random.pick(mine) : random.pick(tasks);
    const epoch = epochOf(task);
    const dice = random.next();
    if (dice < 0.2) return takeAny();
    if (dice < 0.35) return take(task);
    if (dice < 0.5) return read(task);
    if (dice < 0.54) return lapse(task);
    if (dice < 0.6) return update(task, { status: 'todo' });
    if (dice < 0.65) return update(task, { title: aTitle() });
    if (epoch === undefined) return take(task);
    if (dice < 0.78) return update(task, { epoch });
    if (dice < 0.88) return update(task, { epoch, title: aTitle() });
    if (dice < 0.94) return update(task, { epoch, status: 'todo' });
    return update(task, { epoch, status: 'done' });
  }

  while (round.left > 0) {
    round.left--;
    round.made++;
    await turn();
  }
}

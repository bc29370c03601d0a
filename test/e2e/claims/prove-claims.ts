import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../durability/random.ts';
import { addProjects, SERVERS, type TwoServers } from '../two-servers/two-servers.ts';
import { type ClaimCall, claimModel } from './claim-model.ts';
import { openLeases } from './end-lease.ts';
import { findOrder } from './find-order.ts';
import { type Player, playClaims, type Round } from './play-claims.ts';

export interface ClaimGame {
  readonly seed: number;
  readonly rounds: number;
  readonly players: number;
  /** How many calls are made in each round. */
  readonly calls: number;
  readonly kills: boolean;
}

export interface ClaimVerdict {
  /** Tasks whose calls have no order that explains their answers, with their calls; and answers that are never allowed. */
  readonly faults: readonly string[];
  readonly calls: number;
  readonly kills: number;
  /** How many calls may or may not have been done. */
  readonly unknown: number;
}

const PROJECTS = 3;
const TASKS_EACH = 3;
const SCOPES = ['board:read', 'board:write'];

async function addPlayers({ ask }: TwoServers, project_ids: readonly string[], count: number) {
  const players: Player[] = [];
  for (let i = 0; i < count; i++) {
    const name = `agent ${i}`;
    const made = await ask('admin_create_agent', { name, project_ids, scopes: SCOPES, can_complete: true });
    players.push({ name, token: String(made.token) });
  }
  return players;
}

const titleOf = (task: string): string => `Task ${task}`;

async function newRound({ ask }: TwoServers, projects: readonly string[], calls: number): Promise<Round> {
  const made = new Map<string, readonly string[]>();
  for (const project_id of projects) {
    const ids: string[] = [];
    for (let i = 0; i < TASKS_EACH; i++) {
      const { task_id } = await ask('create_task', { project_id, title: 'Task' });
      await ask('update_task', { task_id, title: titleOf(String(task_id)) });
      ids.push(String(task_id));
    }
    made.set(project_id, ids);
  }
  const tasks = [...made.values()].flat();
  const histories = new Map<string, ClaimCall[]>(tasks.map((task) => [task, []]));
  return { projects: made, calls: histories, faults: [], left: calls, made: 0 };
}

/** Only calls that may have changed something count when their answer is missing. */
const isWorthKnowing = (call: ClaimCall): boolean =>
  call.returned !== Infinity ||
  (call.does === 'update' ? (call.title ?? call.status) !== undefined : call.does === 'take');

function lineOf(call: ClaimCall): string {
  const { called, returned, ...rest } = call;
  return `${called.toFixed(1)}–${returned.toFixed(1)} ${JSON.stringify(rest)}`;
}

function judged({ calls, faults }: Round): readonly string[] {
  const found = [...faults];
  for (const [task, history] of calls) {
    const known = history.filter(isWorthKnowing);
    if (findOrder(known, claimModel(titleOf(task))) !== null) continue;
    const text = known.toSorted((a, b) => a.called - b.called).map(lineOf);
    found.push(`no order of the calls explains their answers for task ${task}:\n${text.join('\n')}`);
  }
  return found;
}

/** Agents claim, renew, change and complete tasks on two servers, one of which is killed now and then. */
export async function proveClaims(servers: TwoServers, game: ClaimGame): Promise<ClaimVerdict> {
  const random = createRandom(game.seed);
  const projects = await addProjects(servers, PROJECTS);
  const players = await addPlayers(servers, projects, game.players);
  await using leases = openLeases(servers.place);
  const total = { calls: 0, kills: 0, unknown: 0 };

  for (let turn = 0; turn < game.rounds; turn++) {
    const round = await newRound(servers, projects, game.calls);
    const playing = players.map((player, i) => {
      const own = createRandom(game.seed + turn * 1_000 + i + 1);
      return playClaims({ servers, endLease: leases.end, random: own }, player, round);
    });
    const killing = async (): Promise<void> => {
      while (game.kills && round.left > 0) {
        await sleep(random.between(100, 800));
        if (round.left === 0) return;
        await servers.kill(random.pick(SERVERS));
        total.kills++;
      }
    };
    await Promise.all([...playing, killing()]);
    total.calls += round.made;
    total.unknown += [...round.calls.values()].flat().filter(({ returned }) => returned === Infinity).length;
    const faults = judged(round);
    if (faults.length > 0) return { ...total, faults };
    // The tasks of this round must not be handed out in the next.
    for (const task_id of round.calls.keys()) await servers.ask('update_task', { task_id, status: 'done' });
  }
  return { ...total, faults: [] };
}

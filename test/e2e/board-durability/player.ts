import type { Random } from '../durability/random.ts';
import { type FollowedTask, type Ledger, REVISIONS, type TaskRevision } from './ledger.ts';
import { EXECUTORS, type ExecutorName, scriptOf } from './scripts.ts';
import type { Site } from './site.ts';
import type { Answer, Fields, Talk } from './talk.ts';

interface Hand {
  readonly task_id: string;
  readonly executor: ExecutorName;
}

interface View {
  readonly attempt_id: string;
  readonly run: { readonly status: string } | null;
  readonly queued: number;
  readonly approvals: readonly { readonly approval_id: string; readonly execution_id: string }[];
}

export interface PlayerNeeds {
  readonly name: string;
  readonly site: Site;
  readonly talk: Talk;
  readonly ledger: Ledger;
  readonly random: Random;
  /** True when the player makes some calls as MCP tasks. */
  readonly as_tasks: boolean;
}

const WAYS = ['rest', ...REVISIONS] as const;
const MAX_HANDS = 2;
const MAX_QUEUED = 2;

/** The errors that a call may get when it is a moment too late. */
const LATE = /^(?:run_in_progress|conflict)$/;

const taskIdOf = (revision: TaskRevision, value: Fields): string | undefined => {
  const task = (revision === '2025-11-25' ? value.task : value) as Fields | undefined;
  return typeof task?.taskId === 'string' ? task.taskId : undefined;
};

/** Makes a player: it starts attempts, follows up, withdraws, stops and answers, one action at a time. */
export function createPlayer({ name, site, talk, ledger, random, as_tasks }: PlayerNeeds) {
  const hands: Hand[] = [];
  let made = 0;
  const nextKey = (): string => `${name}-${++made}`;
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random.next() * from.length)];

  /** Returns the answer; null when the call was too late. Any other refusal is a fault. */
  function taken(what: string, answer: Answer): Fields | null {
    ledger.answered += 1;
    if (answer.ok) return answer.value;
    if (!LATE.test(answer.code)) ledger.faults.push(`${what}: answered ${answer.text.slice(0, 300)}`);
    return null;
  }

  const ask = async (tool: string, args: Fields): Promise<Fields | null> => taken(tool, await talk.ask(tool, args));

  /** Makes a call in one of three ways, and records the started run or task under its key. */
  async function call(tool: string, args: Fields, key: string): Promise<void> {
    const input = { ...args, idempotency_key: key };
    const way = pick(as_tasks ? WAYS : ['rest' as const]) ?? 'rest';
    if (way === 'rest') {
      const value = await ask(tool, input);
      if (typeof value?.execution_id === 'string') ledger.begun.set(key, value.execution_id);
      if (typeof value?.queued_id === 'string') ledger.waiting.set(key, value.queued_id);
      return;
    }
    const params = { name: tool, arguments: input, ...(way === '2025-11-25' && { task: {} }) };
    const value = taken(tool, await talk.mcp(way, 'tools/call', params));
    const task_id = value === null ? undefined : taskIdOf(way, value);
    if (task_id === undefined)
      ledger.faults.push(`${tool} ${key}: no task, but ${JSON.stringify(value).slice(0, 300)}`);
    else ledger.tasks.push({ task_id, revision: way, key, isCancelled: false });
  }

  async function begin(): Promise<void> {
    const key = nextKey();
    const { project_id, repo_id, folder } = site;
    const task = await ask('create_task', { project_id, title: key, idempotency_key: `${key}-task` });
    if (typeof task?.task_id !== 'string') return;
    const executor = pick(EXECUTORS) ?? 'scripted';
    hands.push({ task_id: task.task_id, executor });
    const prompt = scriptOf(random, executor, folder, key);
    await call('start_task_attempt', { task_id: task.task_id, executor, prompt, repos: [{ repo_id }] }, key);
  }

  async function followUp({ executor }: Hand, attempt_id: string, action: 'send' | 'queue'): Promise<void> {
    const key = nextKey();
    await call('follow_up', { attempt_id, action, prompt: scriptOf(random, executor, site.folder, key) }, key);
  }

  async function cancelTask(): Promise<void> {
    const own = ledger.tasks.filter(({ key, isCancelled }) => key.startsWith(`${name}-`) && !isCancelled);
    const task: FollowedTask | undefined = own.at(-1);
    if (task === undefined) return;
    task.isCancelled = true;
    // A task that has already ended cannot be cancelled.
    await talk.mcp(task.revision, 'tasks/cancel', { taskId: task.task_id });
  }

  async function look({ task_id }: Hand): Promise<View | null> {
    const listed = await ask('list_task_attempts', { task_id });
    const attempt_id = listed?.latest_attempt_id;
    // A call that became a task may not have made its attempt yet.
    if (typeof attempt_id !== 'string') return null;
    return (await ask('get_attempt', { attempt_id })) as View | null;
  }

  async function play(hand: Hand): Promise<void> {
    const view = await look(hand);
    if (view === null) return;
    const { attempt_id, run, queued, approvals } = view;
    const [question] = approvals;
    const chance = random.next();
    if (question !== undefined && chance < 0.4) {
      const decision = chance < 0.3 ? 'approve' : 'deny';
      return void (await ask('respond_approval', { approval_id: question.approval_id, decision }));
    }
    if (run?.status !== 'queued' && run?.status !== 'running') {
      if (chance < 0.6) return followUp(hand, attempt_id, 'send');
      return void hands.splice(hands.indexOf(hand), 1);
    }
    if (chance < 0.45 && queued < MAX_QUEUED) return followUp(hand, attempt_id, 'queue');
    if (chance < 0.53) return void (await ask('follow_up', { attempt_id, action: 'cancel' }));
    // Stop mostly running runs: otherwise no run would ever start on a slow machine.
    if (chance < 0.57 && (run.status === 'running' || chance < 0.54))
      return void (await ask('stop_attempt', { attempt_id }));
    if (chance > 0.95) return cancelTask();
  }

  return {
    /** Performs one action. */
    turn: async (): Promise<void> => {
      const hand = hands.length < MAX_HANDS && random.next() < 0.5 ? undefined : pick(hands);
      await (hand === undefined ? begin() : play(hand));
    },
  };
}

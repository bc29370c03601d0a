import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aRepository, type Repository } from '../../e2e/board/repository.ts';
import { temporaryFolder } from '../../e2e/program.ts';
import { createPlay, createReactions, type Play, type Reaction, type ScriptedCall } from '../model/script.ts';
import { startModel } from '../model/server.ts';
import type { BoardAgent } from './agent.ts';
import { type Host, type MoreConfig, openHost } from './host.ts';
import { type Approval, approveToTheEnd, firstQuestion, type SeenRun } from './seen.ts';
import { watchStrangers } from './strangers.ts';

/** A finished run, and the requests to its model. */
export interface PlayedRun extends SeenRun {
  /** The number of tool results in each request to the model. */
  readonly heard: readonly number[];
  /** The text for a failed assertion. */
  readonly story: string;
}

/** A server with one agent, a repository and a scripted model. */
export interface Stage extends AsyncDisposable, Pick<Host, 'call' | 'replaceServer'> {
  readonly data: string;
  readonly repository: Repository;
  readonly start: (prompt: string) => Promise<string>;
  /** Returns the agent's next question. Fails when the agent ends without one. */
  readonly asked: (attempt_id: string) => Promise<Approval>;
  /** Waits for the end of the latest run, and approves all questions of its agent until then. */
  readonly ended: (attempt_id: string) => Promise<PlayedRun>;
  /** Makes the model play these calls from now on. It skips calls that already have a result. */
  readonly script: (calls: (folder: string) => readonly ScriptedCall[]) => void;
  /** Sets how the model reacts to prompts from now on. */
  readonly react: (reactions: readonly Reaction[]) => void;
  /** Returns the remote addresses that agents have connected to. */
  readonly strangers: () => readonly string[];
}

export async function openStage(agent: BoardAgent, more: MoreConfig = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await temporaryFolder()).path;
  const data = opened.use(await temporaryFolder()).path;
  const repository = await aRepository(join(home, 'shop'), { 'README.md': '# Shop\n' });

  let scripted: () => Play = () => createPlay([]);
  let heard: number[] = [];
  const model = opened.use(
    await startModel((conversation) => {
      // Agents also ask the model for titles and the like, without tools.
      const isAtWork = conversation.offered.some((name) => name.endsWith('create_step'));
      if (isAtWork) heard.push(conversation.results.length);
      return scripted()(conversation);
    }),
  );
  const host = opened.use(await openHost(agent, { home, model: model.origin }, data, more));
  const watch = opened.use(watchStrangers(home));

  const { call, replaceServer } = host;
  const { project_id } = await call('admin_add_project', { name: 'Shop' });
  const { repo_id } = await call('admin_add_repo', { project_id, path: repository.path });
  const story = (run: SeenRun | null): string => {
    const lines = run?.feed.map(({ kind, text }) => `${kind}: ${text}`) ?? [];
    return ['Its feed:', ...lines, 'Its model:', ...model.story.slice(-60), 'The server:', ...host.log()].join('\n');
  };

  const all = opened.move();
  return {
    ...{ data, repository, call, replaceServer },
    start: async (prompt) => {
      const { task_id } = await call('create_task', { project_id, title: 'Greet whoever comes' });
      const { executor } = agent;
      const started = await call('start_task_attempt', { task_id, executor, prompt, repos: [{ repo_id }] });
      return String(started.attempt_id);
    },
    asked: async (attempt_id) => {
      const question = await firstQuestion(host, attempt_id);
      if (question === null) throw new Error(`It ended without asking.\n${story(null)}`);
      return question;
    },
    ended: async (attempt_id) => {
      const run = await approveToTheEnd(host, attempt_id);
      return { ...run, heard, story: story(run) };
    },
    script: (calls) => {
      scripted = () => createPlay(calls(worktreeIn(data)));
      heard = [];
    },
    react: (reactions) => {
      scripted = () => createReactions(reactions);
      heard = [];
    },
    strangers: watch.seen,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Returns the folder of the only attempt, below `<data>/attempts`. */
function worktreeIn(data: string): string {
  const attempts = join(data, 'attempts');
  const [attempt = ''] = readdirSync(attempts).filter((name) => !name.startsWith('.'));
  return join(attempts, attempt, 'shop');
}

import { type IncomingMessage, request } from 'node:http';
import { bearer, send } from '../../../test/e2e/http.ts';

/** One server, and who asks it. */
export interface Asked {
  readonly origin: string;
  readonly token: string;
  readonly admin_token: string;
  readonly project_id: string;
  readonly user_id: string;
  /** The id of a task in the middle. */
  readonly task_id: string;
}

/** A read: makes one call, and answers how many rows came. */
export type Read = (asked: Asked) => Promise<number>;

interface Answer {
  readonly [list: string]: unknown;
  readonly next_cursor?: string;
}

async function get({ origin, token }: Pick<Asked, 'origin' | 'token'>, path: string): Promise<Answer> {
  const { status, text } = await send(origin, { method: 'GET', path: `/api/v1${path}`, headers: bearer(token) });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
  return JSON.parse(text) as Answer;
}

const one =
  (path: (asked: Asked) => string): Read =>
  async (asked) => {
    await get(asked, path(asked));
    return 1;
  };

const rowsIn = (answer: Answer): number => Object.values(answer).find(Array.isArray)?.length ?? 1;

const board =
  (query: string): Read =>
  async (asked) =>
    rowsIn(await get(asked, `/board/projects/${asked.project_id}/tasks?limit=50${query}`));

const cards =
  (query: string): Read =>
  async (asked) =>
    rowsIn(await get(asked, `/board/projects/${asked.project_id}/cards?limit=20${query}`));

const nextTask: Read = async ({ origin, token, project_id }) => {
  const body = JSON.stringify({ project_id });
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const { status, text } = await send(origin, { path: '/api/v1/board/next-task', headers, body });
  if (status !== 200 || !text.includes('"task_id"')) throw new Error(`next_task answered ${status}: ${text}`);
  return 1;
};

/** How many events a listener has missed when it reconnects. */
export const MISSED = 500;

const stream = ({ origin, token }: Asked, after: number | null): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...bearer(token),
      accept: 'text/event-stream',
      ...(after !== null && { 'last-event-id': String(after) }),
    };
    request(`${origin}/api/v1/events`, { agent: false, headers }, resolve).on('error', reject).end();
  });

const NUMBER = /^id: (\d+)$/gm;

/** Reads the events that follow this one, and answers how many came. */
async function eventsAfter(asked: Asked, after: number): Promise<number> {
  const incoming = await stream(asked, after);
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    text += String(chunk);
    // The last event is whole once the empty line behind it has come.
    const last = text
      .slice(0, text.lastIndexOf('\n\n') + 1)
      .match(NUMBER)
      ?.at(-1);
    if (Number(last?.slice('id: '.length)) >= after + MISSED) break;
  }
  incoming.destroy();
  return text.split('event: work_item.').length - 1;
}

/** The number of the last event: the first thing that a new listener is told. */
async function lastEvent(asked: Asked): Promise<number> {
  const incoming = await stream(asked, null);
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    const number = /^id: (\d+)/m.exec(String(chunk))?.[1];
    if (number === undefined) continue;
    incoming.destroy();
    return Number(number);
  }
  throw new Error('A listener was told no position.');
}

const catchUp: Read = async (asked) => eventsAfter(asked, (await lastEvent(asked)) - MISSED);

export const READS: Readonly<Record<string, Read>> = {
  'todo list_tasks': async (asked) => rowsIn(await get(asked, `/todo/tasks?user_id=${asked.user_id}&limit=50`)),
  'todo list_tasks, completed': async (asked) =>
    rowsIn(await get(asked, `/todo/tasks?user_id=${asked.user_id}&limit=50&status=completed`)),
  list_tasks: board(''),
  'list_tasks, one status': board('&status=inreview'),
  'list_tasks, ready': board('&ready=true'),
  get_task: one((asked) => `/board/tasks/${asked.task_id}`),
  next_task: nextTask,
  'show_board, all columns': cards(''),
  'show_board, one column': cards('&status=done'),
  list_inbox: async (asked) => rowsIn(await get(asked, '/board/inbox?limit=50')),
  list_runs: async (asked) => rowsIn(await get(asked, '/board/runs?limit=50')),
  'tasker_search_issues, no word': async (asked) => rowsIn(await get(asked, '/tasker/issues?limit=50')),
  tasker_get_issue: one((asked) => `/tasker/issues/${asked.task_id}`),
  admin_list_audit: async ({ origin, admin_token }) =>
    rowsIn(await get({ origin, token: admin_token }, '/audit?limit=50')),
  [`${MISSED} missed events`]: catchUp,
};

const QUERIES: Readonly<Record<string, string>> = {
  'a word in every task': 'query=deploy',
  'a word in one of a hundred': 'query=rarely',
  'a word in one task': 'query=ticket811111',
  'a word in no task': 'query=nowhere',
  'a word in every text, in no title': 'query=done',
  'two words': 'query=rarely+gateway',
  'two words that never meet': 'query=rarely+often',
  'one letter': 'query=t',
  'two letters': 'query=ti',
  'three letters': 'query=tic',
  'four letters': 'query=tick',
  'no word': 'query=',
};

const search =
  (query: string): Read =>
  async (asked) =>
    rowsIn(await get(asked, `/tasker/issues?${query}`));

/** The searches; `deep` is the cursor of a page in the middle of what every task matches. */
export const searchesOf = (project_id: string, deep: string): Readonly<Record<string, Read>> => ({
  ...Object.fromEntries(Object.entries(QUERIES).map(([words, query]) => [words, search(query)])),
  'a word in every task, in one project': search(`query=deploy&project_id=${project_id}`),
  'a word in every task, a page in the middle': search(`query=deploy&cursor=${encodeURIComponent(deep)}`),
});

/** The cursor after `pages` pages of 100. */
export async function cursorAfter(asked: Asked, pages: number): Promise<string> {
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    ({ next_cursor: cursor } = await get(asked, `/tasker/issues?query=deploy&limit=100${more}`));
  }
  if (cursor === undefined) throw new Error('The search has too few pages.');
  return cursor;
}

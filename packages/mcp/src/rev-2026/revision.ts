import type { ContentAnswer, Implementation, InputRequired, JsonAnswer, ToolShape } from '#host';
import { METHOD_NOT_FOUND, MISSING_CAPABILITY, RpcError } from '#json-rpc';
import { SHARED_METHODS } from '#methods';
import type { CacheHint, Method, Revision } from '#revision';
import { SERVER_INFO } from '#versions';
import { discover } from './discover.ts';
import { listen } from './listen.ts';
import { TASK_TABLE } from './task-methods.ts';

const LIST_TTL_MS = 30_000;

/** The cache members of results. Lists differ between tokens, so no shared cache may keep them. */
const CACHE: Readonly<Record<CacheHint, string>> = {
  none: '',
  list: `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"`,
  contents: ',"ttlMs":0,"cacheScope":"private"',
};

const STATUS: ReadonlyMap<number, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  [MISSING_CAPABILITY, 400],
]);

/** Creates revision 2026-07-28: every request is independent and describes its client. */
export function createRevision2026(server: Implementation, withTasks: boolean): Revision {
  const lists = new WeakMap<readonly ToolShape[], string>();
  const signature = `"_meta":${JSON.stringify({ [SERVER_INFO]: server })}`;
  const head = `{"resultType":"complete",${signature}`;

  const complete = (members: string, cache: CacheHint): string =>
    members === '' ? `${head}${CACHE[cache]}}` : `${head}${CACHE[cache]},${members}}`;

  return {
    methods: new Map<string, Method>([
      ...SHARED_METHODS,
      ['server/discover', discover],
      ['subscriptions/listen', listen],
      ...(withTasks ? TASK_TABLE : []),
    ]),
    statusOf: (code) => STATUS.get(code) ?? 200,
    complete,
    tools: (tools) => {
      const kept = lists.get(tools);
      if (kept !== undefined) return kept;
      const written = complete(`"tools":${JSON.stringify(tools)}`, 'list');
      lists.set(tools, written);
      return written;
    },
    toolResult: (answer) => complete(toolMembers(answer), 'none'),
    inputRequired: ({ requests, state }: InputRequired) => {
      const carried = state === undefined ? '' : `,"requestState":${JSON.stringify(state)}`;
      return `{"resultType":"input_required",${signature},"inputRequests":${JSON.stringify(requests)}${carried}}`;
    },
    missingCapability: (requiredCapabilities) =>
      new RpcError(MISSING_CAPABILITY, 'The client did not declare a capability that this needs.', {
        requiredCapabilities,
      }),
    disconnect_cancels: true,
  };
}

function toolMembers(answer: JsonAnswer | ContentAnswer): string {
  const failed = answer.failed ? ',"isError":true' : '';
  if (answer.kind === 'json') {
    return `"content":[{"type":"text","text":${answer.quoted ?? JSON.stringify(answer.json)}}],"structuredContent":${answer.json}${failed}`;
  }
  const structured = answer.structured ? `,"structuredContent":${JSON.stringify(answer.structured)}` : '';
  return `"content":${JSON.stringify(answer.content)}${structured}${failed}`;
}

/** What a tool answered, as the client showed it to the model. */
export interface ToolResult {
  readonly name: string;
  readonly text: string;
}

/** A request to the model in words that every dialect shares. */
export interface Conversation {
  readonly offered: readonly string[];
  readonly results: readonly ToolResult[];
}

export type Turn =
  | { readonly call: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly say: string };

export interface ScriptedCall {
  readonly tool: string;
  /** Each capital name stands for what the latest result that has it says of it: `$STEP_ID` for its `step_id`. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Play = (conversation: Conversation) => Turn;

// Clients put the name of the server in front, each in its own way.
const isTool = (name: string, tool: string): boolean => name === tool || name.endsWith(`_${tool}`);

// What Claude Code offers in place of the tools that it holds back.
const SEARCH = 'ToolSearch';

/** What a field says in JSON, also in JSON that was put in a string of other JSON. */
function readField(text: string, field: string): string | undefined {
  return text.match(new RegExp(`${field}\\\\*"\\s*:\\s*\\\\*"([^"\\\\]+)`))?.[1];
}

function fillIn(value: unknown, results: readonly ToolResult[]): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value;
  const said = results.map(({ text }) => readField(text, value.slice(1).toLowerCase()));
  return said.findLast((one) => one !== undefined) ?? value;
}

const searchFor = (calls: readonly ScriptedCall[]) => ({
  query: calls.map(({ tool }) => tool).join(' '),
  max_results: calls.length,
});

/** Plays the calls in their order, one a turn, then says that it is done; a request that offers none of them gets words. */
export function createPlay(calls: readonly ScriptedCall[]): Play {
  return ({ offered, results }) => {
    const answered = results.filter(({ name }) => calls.some(({ tool }) => isTool(name, tool)));
    const next = calls[answered.length];
    if (!next) return { say: 'Done.' };

    const call = offered.find((name) => isTool(name, next.tool));
    const mayFind = offered.includes(SEARCH) && results.every(({ name }) => name !== SEARCH);
    if (!call && mayFind) return { call: SEARCH, arguments: searchFor(calls) };
    if (!call) return { say: `There is no ${next.tool} here.` };

    const filled = Object.entries(next.arguments).map(([name, value]) => [name, fillIn(value, answered)]);
    return { call, arguments: Object.fromEntries(filled) };
  };
}

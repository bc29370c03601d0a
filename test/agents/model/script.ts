/** A tool result as the client gave it to the model. */
export interface ToolResult {
  readonly name: string;
  readonly text: string;
}

/** A request to the model, independent of the dialect. */
export interface Conversation {
  readonly offered: readonly string[];
  readonly results: readonly ToolResult[];
  /** What the user said, oldest first, where the dialect tells. */
  readonly told?: readonly string[];
}

export type Turn =
  | { readonly call: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly say: string };

export interface ScriptedCall {
  readonly tool: string;
  /** A name in capitals is replaced from the latest result with that field: `$STEP_ID` by its `step_id`. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Play = (conversation: Conversation) => Turn;

// Clients prefix the name of the server, each in its own way.
const isTool = (name: string, tool: string): boolean => name === tool || name.endsWith(`_${tool}`);

// Claude Code offers this tool instead of the tools that it defers.
const SEARCH = 'ToolSearch';

/** Reads a field of JSON, also of JSON inside a string of other JSON. */
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

/** Plays the calls in order, one per turn, then ends. A request that offers none of the tools gets a text. */
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

/** What a model does when the user says something with these words. */
export interface Reaction {
  readonly words: string;
  readonly calls: readonly ScriptedCall[];
}

/** Plays the calls for everything that the user said so far, each by the first reaction that fits. */
export const createReactions =
  (reactions: readonly Reaction[]): Play =>
  (conversation) => {
    const fitting = (conversation.told ?? []).map((text) => reactions.find(({ words }) => text.includes(words)));
    return createPlay(fitting.flatMap((reaction) => reaction?.calls ?? []))(conversation);
  };

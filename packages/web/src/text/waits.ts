import { type ToolTexts, textOf } from '../api/tool-name.ts';

/** What a call waits for, by its tool: such a call is not slow. */
const WAITS: ToolTexts = {
  ask_person: 'waits for a person',
  tail_attempt: 'waits for news of a run',
};

/** What the calls of a tool wait for; undefined for those that take as long as the server needs. */
export const waitsFor = (tool: string): string | undefined => textOf(WAITS, tool);

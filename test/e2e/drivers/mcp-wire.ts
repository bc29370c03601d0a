import { expect } from 'vitest';
import type { WireError } from '../../../packages/server/src/gateway/gateway.ts';
import type { Answer } from '../client.ts';
import type { Revision, Rpc } from './mcp-messages.ts';

/** Returns the result of a response, and checks it against JSON-RPC and the revision. */
export function resultOf(revision: Revision, sent: Rpc, text: string): Readonly<Record<string, unknown>> {
  const message = JSON.parse(text) as Record<string, unknown>;
  expect(message).toMatchObject({ jsonrpc: '2.0', id: sent.id });
  expect(message, text).not.toHaveProperty('error');
  expect(Object.keys(message).sort()).toEqual(['id', 'jsonrpc', 'result']);
  const result = message.result as Record<string, unknown>;
  if (revision === '2026-07-28') expect(result.resultType).toBe('complete');
  else expect(result).not.toHaveProperty('resultType');
  return result;
}

/** Returns the answer of a tool. The text must be the same JSON as the structured content. */
export function answerOf(result: Readonly<Record<string, unknown>>): Answer {
  const structured = result.structuredContent as Record<string, unknown>;
  const content = result.content as readonly { readonly type: string; readonly text: string }[];
  expect(content).toHaveLength(1);
  expect(content[0]?.type).toBe('text');
  expect(JSON.parse(content[0]?.text ?? '')).toEqual(structured);

  if (result.isError !== true) return { ok: true, value: structured };
  expect(Object.keys(structured)).toEqual(['error']);
  return { ok: false, error: structured.error as WireError };
}

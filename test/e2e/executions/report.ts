import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Arguments } from '../client.ts';

/** The tools of the profile, with the matching route of the Task Manager. */
export const TOOLS = {
  update_execution_session: 'PATCH /api/executions/{execution_id}',
  create_step: 'POST /api/executions/{execution_id}/steps',
  update_step: 'PATCH /api/executions/{execution_id}/steps/{step_id}',
  health_check: 'GET /api/health',
} as const;

export type ReportTool = keyof typeof TOOLS;

export type Fields = Readonly<Record<string, unknown>>;

/** The answer of every tool of the profile. */
export interface Report {
  readonly success: boolean;
  readonly message?: string;
  readonly data?: Fields;
  readonly error?: string;
  readonly error_code?: string;
  readonly status_code?: number;
  readonly valid_statuses?: readonly string[];
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly required?: readonly string[];
    readonly properties: Readonly<Record<string, Fields>>;
  };
  readonly outputSchema: Fields;
}

/** A reporting agent on one transport. */
export interface Reporter extends AsyncDisposable {
  readonly call: (tool: ReportTool, args: Arguments) => Promise<Report>;
  /** Returns the tools of this profile that it can see. */
  readonly list: () => Promise<readonly ListedTool[]>;
}

const SUCCESS = ['data', 'message', 'success'];
const FAILURE = ['error', 'error_code', 'status_code', 'success', 'valid_statuses'];

/** Reads the envelope. Fails when there are other fields. */
export function envelopeOf(body: unknown): Report {
  const report = body as Report;
  const keys = Object.keys(report).sort();
  if (report.success) expect(keys).toEqual(SUCCESS);
  else expect(FAILURE, keys.join()).toEqual(expect.arrayContaining(keys));
  expect(report.success ? report.message : report.error).toMatch(/\S/);
  return report;
}

/** Reads the envelope of a tool result. The text must be the same JSON as the structured content. */
function reportOf(result: Fields): Report {
  const [content, ...more] = result.content as readonly { readonly type: string; readonly text: string }[];
  expect(more).toEqual([]);
  expect(content?.type).toBe('text');
  expect(JSON.parse(content?.text ?? '')).toEqual(result.structuredContent);
  const report = envelopeOf(result.structuredContent);
  expect(result.isError === true).toBe(!report.success);
  return report;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Sends a request. Returns the result, or the refusal of an invalid token. */
type Exchange = (method: string, params: Arguments) => Promise<Fields | Refused>;

export class Refused {
  readonly report: Report;
  constructor(error: { readonly code: string; readonly message: string }) {
    this.report = { success: false, error: error.message, error_code: error.code };
  }
}

const toolsIn = (result: Fields): readonly ListedTool[] =>
  (result.tools as readonly ListedTool[]).filter(({ name }) => name in TOOLS);

/** Makes an MCP agent that validates each answer against the listed schema of its tool, as strict clients do. */
export async function mcpReporter(exchange: Exchange, close: () => Promise<void>): Promise<Reporter> {
  const listed = await exchange('tools/list', {});
  const tools = listed instanceof Refused ? [] : toolsIn(listed);
  return {
    list: async () => tools,
    call: async (tool, args) => {
      const result = await exchange('tools/call', { name: tool, arguments: args });
      if (result instanceof Refused) return result.report;
      const report = reportOf(result);
      const schema = tools.find(({ name }) => name === tool)?.outputSchema;
      if (schema !== undefined) expect(ajv.validate(schema, report), ajv.errorsText()).toBe(true);
      return report;
    },
    [Symbol.asyncDispose]: close,
  };
}

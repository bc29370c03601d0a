import type { IncomingMessage } from 'node:http';
import { BODY_PROBLEMS, type BodyProblem, readJson } from '@errand/mcp/node';
import { ErrandError, type ErrorCode } from '#errors';
import type { Tool } from '#tools/catalog';
import { admissionOf } from '#transports/admission';
import { type FieldKind, fieldsOf, valueFromText } from '#transports/fields';
import { isObject } from '#transports/json';

/** The arguments of one request, from the places that its method uses. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Undefined when the method has no body. */
  readonly body: unknown;
  readonly idempotency_key: string | undefined;
}

export type ReadInput = (parts: RequestParts) => unknown;

export const hasBody = ({ route }: Pick<Tool, 'route'>): boolean => /^(POST|PUT|PATCH) /.test(route);

function fromQuery(query: URLSearchParams, kinds: ReadonlyMap<string, FieldKind>): Record<string, unknown> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const kind = kinds.get(name) ?? 'string';
      const texts = query.getAll(name);
      return [name, kind === 'array' && texts.length > 1 ? texts : valueFromText(kind, texts.at(-1) ?? '')];
    }),
  );
}

/** The header and the field mean the same; two different keys would name two operations. */
function withKey(input: Record<string, unknown>, key: string | undefined): Record<string, unknown> {
  if (key === undefined) return input;
  const { idempotency_key = key } = input;
  if (idempotency_key === key) return { ...input, idempotency_key };
  throw new ErrandError(
    'validation_error',
    'Idempotency-Key and idempotency_key differ. Send one of them, or the same in both.',
  );
}

/** Returns the function that collects a tool's arguments. The path wins, because it routed the request. */
export function createInputReader(tool: Tool): ReadInput {
  const kinds = new Map(fieldsOf(tool).map(({ name, kind }) => [name, kind]));
  const takesKey = kinds.has('idempotency_key');

  return ({ params, query, body, idempotency_key }) => {
    // Not an object: validation refuses it, in the words of the tool's profile.
    if (body !== undefined && !isObject(body)) return body;
    const input: Record<string, unknown> = { ...(body ?? fromQuery(query, kinds)) };
    for (const name in params) input[name] = valueFromText(kinds.get(name) ?? 'string', params[name] ?? '');
    return withKey(input, takesKey ? idempotency_key : undefined);
  };
}

export const keyHeader = (req: IncomingMessage): string | undefined => req.headers['idempotency-key']?.toString();

const CODES: Partial<Record<BodyProblem, ErrorCode>> = {
  media_type: 'unsupported_media_type',
  too_large: 'payload_too_large',
};

export async function readBody(req: IncomingMessage): Promise<unknown> {
  const body = await readJson(req, admissionOf(req));
  if (body.ok) return body.value;
  throw new ErrandError(CODES[body.problem] ?? 'validation_error', BODY_PROBLEMS[body.problem].message);
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import { catalog } from '#tools/catalog';
import { openApi } from '#transports/rest/openapi';

/** A request and its answer. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly json: unknown;
}

interface Documented {
  readonly pointer: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly responses: Readonly<Record<string, object>>;
}

const document = openApi(catalog, '1.2.3');
const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{.+?\}/g, '[^/]+')}/?$`);

const operations: readonly Documented[] = Object.entries(document.paths)
  // A literal part wins over a field.
  .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { servers, responses }]) => ({
      pointer: `#/paths/${escaped(path)}/${method}/responses`,
      method: method.toUpperCase(),
      pattern: patternOf(`${servers === undefined ? document.servers[0]?.url : ''}${path}`),
      // Safe: every operation of the document has responses.
      responses: responses as Documented['responses'],
    })),
  );

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');

const MEDIA = `content/${escaped('application/json')}/schema`;

/** The pointer to the schema of an answer; null when the document lacks the operation or the status. */
function schemaOf({ method, path, status }: Exchange): string | null {
  const [bare = ''] = path.split('?');
  const found = operations.find((each) => each.method === method && each.pattern.test(bare));
  if (found === undefined) return null;
  const response = found.responses[status] ?? (status >= 400 ? found.responses.default : undefined);
  if (response === undefined) return null;
  const pointer = '$ref' in response ? String(response.$ref) : `${found.pointer}/${status}`;
  return `openapi${pointer}/${MEDIA}`;
}

/** Throws when an answer of the REST API does not match the OpenAPI document. Answers to unknown paths pass. */
export function checkAnswer(exchange: Exchange): void {
  const { method, path, status, json } = exchange;
  if (!path.startsWith('/api/') || status === 404 || status === 405) return;
  const schema = schemaOf(exchange);
  if (schema === null) throw new Error(`The OpenAPI document has no answer ${status} to ${method} ${path}.`);
  const validate = ajv.getSchema(schema);
  if (validate?.(json) === true) return;
  const why = ajv.errorsText(validate?.errors ?? null);
  throw new Error(`The answer ${status} to ${method} ${path} is not as the OpenAPI document says: ${why}`);
}

import { mapOperations, type Paths } from '../../packages/server/src/transports/rest/operation-parts.ts';
import { REPORT_PREFIX } from '../../packages/server/src/transports/rest/report-paths.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI document that are used here. */
export interface ApiDocument extends Fields {
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Fields>>;
}

const ROOT = '/api/';
const HERE = { url: '/' };

const isPart = ([path]: readonly [string, unknown]): boolean => path.startsWith(ROOT);

const referencesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/(\w+\/\w+)"/g)].map(([, name = '']) => name);

/** Returns the components that a value references, directly and indirectly. */
function neededBy(value: unknown, { components }: ApiDocument): ApiDocument['components'] {
  const needed = new Set(referencesIn(value));
  for (const name of needed) {
    const [kind = '', key = ''] = name.split('/');
    for (const inner of referencesIn(components[kind]?.[key])) needed.add(inner);
  }
  const kept = Object.entries(components).map(([kind, entries]) => [
    kind,
    Object.fromEntries(Object.entries(entries).filter(([key]) => needed.has(`${kind}/${key}`))),
  ]);
  return Object.fromEntries(kept.filter(([, entries]) => Object.keys(entries ?? {}).length > 0));
}

/** Extracts the Task Manager API as a separate document. */
export function partOf(whole: ApiDocument): ApiDocument {
  const own = mapOperations(
    Object.fromEntries(Object.entries(whole.paths).filter(isPart)),
    ({ servers: _, operationId, ...operation }) => ({
      operationId: operationId.replace(REPORT_PREFIX, ''),
      ...operation,
    }),
  );
  const { securitySchemes = {} } = whole.components;
  const { paths: _, components: __, ...head } = whole;
  return {
    ...head,
    info: {
      ...(whole.info as Fields),
      title: 'Task Manager',
      description: 'Where runs of agents are reported to: their sessions, their steps and what else happens in them.',
    },
    servers: [{ url: 'http://localhost:8080' }],
    tags: [{ name: 'executions', description: 'Runs of agents and what is reported of them.' }],
    paths: own,
    components: { ...neededBy(own, whole), securitySchemes },
  };
}

/** Puts another text of that part into the whole document: a person may have edited it. */
export function withPart(whole: ApiDocument, part: ApiDocument): ApiDocument {
  const others = Object.fromEntries(Object.entries(whole.paths).filter((entry) => !isPart(entry)));
  const own = mapOperations(part.paths, (operation) => ({
    ...operation,
    operationId: `${REPORT_PREFIX}${operation.operationId}`,
    servers: [HERE],
  }));
  const kinds = new Set([...Object.keys(whole.components), ...Object.keys(part.components ?? {})]);
  const components = [...kinds].map((kind) => [kind, { ...whole.components[kind], ...part.components?.[kind] }]);
  return { ...whole, paths: { ...others, ...own }, components: Object.fromEntries(components) };
}

import type { JsonObject, ResourcePart } from '@errand/mcp';
import { PNG } from './content.ts';
import type { FixtureCaller } from './tools.ts';

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const RESOURCES: ReadonlyMap<string, JsonObject> = new Map([
  ['test://static-text', { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  ['test://static-binary', { mimeType: 'image/png', blob: PNG }],
  ['test://watched-resource', { mimeType: 'text/plain', text: 'Watch this.' }],
]);

const LISTED = [...RESOURCES].map(([uri, { mimeType }]: [string, { readonly mimeType?: unknown }]) => ({
  uri,
  name: uri.slice('test://'.length),
  description: `The fixture ${uri}.`,
  mimeType,
}));

const TEMPLATES = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Data of any id.',
    mimeType: 'application/json',
  },
];

function contentsOf(uri: string): JsonObject | undefined {
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) return RESOURCES.get(uri);
  return {
    mimeType: 'application/json',
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  };
}

export const resources: ResourcePart<FixtureCaller> = {
  list: () => LISTED,
  templates: () => TEMPLATES,
  read: (uri) => {
    const contents = contentsOf(uri);
    if (contents === undefined) return undefined;
    return Promise.resolve({ kind: 'contents', contents: [{ uri, ...contents }] });
  },
};

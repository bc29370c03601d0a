import { resource, resourceTemplate } from '@errand/mcp';
import { PNG } from './content.ts';

export const RESOURCES = [
  resource({
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that stays the same.',
    mime_type: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  resource({
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'Bytes that stay the same.',
    mime_type: 'image/png',
    read: () => Buffer.from(PNG, 'base64'),
  }),
  resource({
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to subscribe to.',
    mime_type: 'text/plain',
    read: () => 'Watch this.',
  }),
  resourceTemplate({
    uri_template: 'test://template/{id}/data',
    name: 'template',
    description: 'Data of any id.',
    mime_type: 'application/json',
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
];

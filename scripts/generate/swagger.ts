import { stringify } from 'yaml';
import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { openApi } from '../../packages/server/src/transports/rest/openapi.ts';
import { partOf } from './document-part.ts';

/** The Task Manager API, the part of the REST interface below `/api`, as an OpenAPI document in YAML. */
export const swagger = (tools: readonly Tool[], version: string): string =>
  stringify(partOf(openApi(tools, version)), { lineWidth: 0, aliasDuplicateObjects: false });

import { stringify } from 'yaml';
import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { openApi } from '../../packages/server/src/transports/rest/openapi.ts';
import { partOf } from './document-part.ts';

/** Generates the OpenAPI document in YAML of the Task Manager API, the REST interface below `/api`. */
export const swagger = (tools: readonly Tool[], version: string): string =>
  stringify(partOf(openApi(tools, version)), { lineWidth: 0, aliasDuplicateObjects: false });

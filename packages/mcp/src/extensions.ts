import type { McpHost, ResourcePart } from './host.ts';
import { isObject, type JsonObject } from './json.ts';

/** The settings with which a client declares an extension; null when it does not. */
export function extensionOf(client_capabilities: JsonObject, name: string): JsonObject | null {
  const { extensions }: { readonly extensions?: unknown } = client_capabilities;
  const settings = isObject(extensions) ? extensions[name] : undefined;
  return isObject(settings) ? settings : null;
}

/** Whether a client is offered the resources. */
export const isOffered = (
  { extension }: Pick<ResourcePart<never>, 'extension'>,
  client_capabilities: JsonObject,
): boolean => extension === undefined || extensionOf(client_capabilities, extension) !== null;

/** The server's capabilities that concern resources, with the extension that they belong to. */
export function resourceCapabilities<Caller>(
  { resources }: McpHost<Caller>,
  client_capabilities: JsonObject,
  tells: boolean,
): { readonly resources?: object; readonly extensions?: Readonly<Record<string, object>> } {
  if (resources === undefined || !isOffered(resources, client_capabilities)) return {};
  return {
    resources: tells ? { subscribe: true, listChanged: true } : {},
    ...(resources.extension !== undefined && { extensions: { [resources.extension]: {} } }),
  };
}

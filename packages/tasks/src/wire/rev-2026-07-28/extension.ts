import { isObject, type JsonObject } from '#json';
import { RpcFailure } from '#rpc-failure';

/** The name of the extension, for `extensions` in the capabilities of servers and clients. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export const MISSING_CAPABILITY = -32021;

const EXTENSIONS: JsonObject = { [TASKS_EXTENSION]: {} };

/** The extension as a member of the capabilities in `server/discover`. */
export const declareTasks = () => ({ extensions: EXTENSIONS });

/** True when a request declares the extension. Capabilities of 2025 clients do not count. */
export function declaresTasks(client_capabilities: unknown): boolean {
  if (!isObject(client_capabilities)) return false;
  const { extensions }: { readonly extensions?: unknown } = client_capabilities;
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

export const missingCapability = (): RpcFailure =>
  new RpcFailure(MISSING_CAPABILITY, `The request must declare the extension ${TASKS_EXTENSION}.`, {
    data: { requiredCapabilities: { extensions: EXTENSIONS } },
  });

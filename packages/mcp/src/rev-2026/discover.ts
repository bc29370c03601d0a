import { declareTasks } from '@errand/tasks/2026-07-28';
import type { Call } from '#call';
import { resourceCapabilities } from '#extensions';
import type { McpHost } from '#host';
import { ownerOf } from '#task-requestor';
import { VERSION_2026 } from '#versions';

export function discover<Caller>(host: McpHost<Caller>, call: Call<Caller>): string {
  const own = host.instructions?.(call.caller);
  const instructions = own === undefined ? '' : `,"instructions":${JSON.stringify(own)}`;
  const capabilities = JSON.stringify(capabilitiesOf(host, call));
  return call.revision.complete(
    `"supportedVersions":["${VERSION_2026}"],"capabilities":${capabilities}${instructions}`,
    'list',
  );
}

function capabilitiesOf<Caller>(host: McpHost<Caller>, call: Call<Caller>): Record<string, object> {
  const listChanged = host.changes ? { listChanged: true } : {};
  const resources = resourceCapabilities(host, call.client_capabilities, host.changes !== undefined);
  const tasks = host.tasks && ownerOf(host.tasks, call.caller, null) !== null ? declareTasks() : undefined;
  const extensions = { ...resources.extensions, ...tasks?.extensions };
  return {
    tools: listChanged,
    ...resources,
    ...(host.prompts && { prompts: listChanged }),
    ...(host.complete && { completions: {} }),
    ...(host.logging && { logging: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

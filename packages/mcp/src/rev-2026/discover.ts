import { declareTasks } from '@errand/tasks/2026-07-28';
import type { Call } from '#call';
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

function capabilitiesOf<Caller>(host: McpHost<Caller>, { caller }: Call<Caller>): Record<string, object> {
  const listChanged = host.changes ? { listChanged: true } : {};
  return {
    tools: listChanged,
    ...(host.resources && { resources: host.changes ? { subscribe: true, listChanged: true } : {} }),
    ...(host.prompts && { prompts: listChanged }),
    ...(host.complete && { completions: {} }),
    ...(host.logging && { logging: {} }),
    ...(host.tasks && ownerOf(host.tasks, caller, null) !== null && declareTasks()),
  };
}

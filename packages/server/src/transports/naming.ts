import { FULL_NAMES, type Naming } from '#advice';
import type { Call, Gateway } from '#gateway/gateway';

type Asker = Pick<Gateway, 'visible'>;

/** Whether a caller can call a tool, by its full name. While the caller cannot be identified, every tool counts. */
export function callableBy(gateway: Asker, caller: Call['caller']): (name: string) => boolean {
  if (caller.fault) return () => true;
  return (name) => gateway.visible(caller, 'all').some(({ full_name }) => full_name === name);
}

/** Names tools by their full names, as OpenAPI and `POST /api/v1/tools/{tool}` do. */
export function restNaming(gateway: Asker, caller: Call['caller']): Naming {
  return { ...FULL_NAMES, canCall: callableBy(gateway, caller) };
}

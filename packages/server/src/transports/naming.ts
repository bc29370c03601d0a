import { FULL_NAMES, type Naming } from '#advice';
import type { Call, Gateway } from '#gateway/gateway';

type Asker = Pick<Gateway, 'visible'>;

/** Whether a caller can call a tool, by its full name. While nobody knows who calls, every tool may be theirs. */
export function callableBy(gateway: Asker, caller: Call['caller']): (name: string) => boolean {
  if (caller.fault) return () => true;
  return (name) => gateway.visible(caller, 'all').some(({ full_name }) => full_name === name);
}

/** Tools by their full names, as OpenAPI and `POST /api/v1/tools/{tool}` have them. */
export function restNaming(gateway: Asker, caller: Call['caller']): Naming {
  return { ...FULL_NAMES, canCall: callableBy(gateway, caller) };
}

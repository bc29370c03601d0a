import type { Call, Gateway } from '#gateway/gateway';
import { worded } from '#gateway/outcome';
import { askingBy, type Calls } from './calls.ts';
import { namingFor } from './wording.ts';

/** Calls the tools in this process, on the data of this machine; `gone` aborts the calls that wait. */
export function localCalls(gateway: Gateway, caller: Call['caller'], gone?: AbortSignal): Calls {
  const call: Calls['call'] = async (tool, input, wording, signal = gone) => {
    const outcome = await gateway.dispatch({ caller, tool, input, transport: 'cli', ...(signal && { signal }) });
    if (outcome.ok) return outcome;
    return { ...outcome, error: worded(outcome.error, namingFor(wording, tool, gateway, caller)) };
  };
  return {
    address: null,
    call,
    ask: askingBy((profile, name) => gateway.find(name, profile), call),
  };
}

import type { Call } from './gateway.ts';

/**
 * A call whose signal is made when something asks for it: most calls end before their client could hang up. A class, for
 * the reason that is written in `work-of.ts`.
 */
export class LazyCall implements Call {
  readonly caller: Call['caller'];
  readonly tool: Call['tool'];
  readonly input: unknown;
  readonly transport: Call['transport'];
  readonly correlation_id: Call['correlation_id'];
  readonly client_facts: Call['client_facts'];
  readonly client: Call['client'];
  readonly carries: boolean;
  readonly #makeSignal: () => AbortSignal;

  constructor(call: Omit<Call, 'signal'>, makeSignal: () => AbortSignal) {
    this.caller = call.caller;
    this.tool = call.tool;
    this.input = call.input;
    this.transport = call.transport;
    this.correlation_id = call.correlation_id;
    this.client_facts = call.client_facts;
    this.client = call.client;
    this.carries = call.carries ?? false;
    this.#makeSignal = makeSignal;
  }

  get signal(): AbortSignal {
    return this.#makeSignal();
  }
}

interface Stoppable {
  readonly stop: () => Promise<void>;
}

export interface OneForAll<Running> {
  /** Starts it the first time. */
  readonly running: () => Promise<Running>;
  readonly teardown: () => Promise<void>;
}

/** A server that all projects of a run share: their set-up files are loaded once for each, and would start as many. */
export function oneForAll<Running extends Stoppable>(name: string, start: () => Promise<Running>): OneForAll<Running> {
  // The one place that all of them see.
  const shared = globalThis as { errandServers?: Map<string, Promise<Stoppable>> };
  shared.errandServers ??= new Map();
  const servers = shared.errandServers as Map<string, Promise<Running>>;

  return {
    running: () => {
      const running = servers.get(name) ?? start();
      servers.set(name, running);
      return running;
    },
    teardown: async () => {
      const running = servers.get(name);
      servers.delete(name);
      await (await running)?.stop();
    },
  };
}

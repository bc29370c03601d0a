interface Stoppable {
  readonly stop: () => Promise<void>;
}

export interface OneForAll<Running> {
  /** Returns the server, and starts it at the first call. */
  readonly running: () => Promise<Running>;
  readonly teardown: () => Promise<void>;
}

/** Makes a server that all projects of a run share: set-up files are loaded per project, and would each start one. */
export function oneForAll<Running extends Stoppable>(name: string, start: () => Promise<Running>): OneForAll<Running> {
  // The only object that all projects share.
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

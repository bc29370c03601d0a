import { createRpc, type Mailbox, type Peer } from './rpc.ts';
import type { ToolResult } from './tool-fetch.ts';

/** The version of the extension that these views speak. */
const PROTOCOL = '2026-01-26';

type Fields = Readonly<Record<string, unknown>>;

/** The last known state of the host: the call that the view shows, and the theme. */
export interface HostState {
  /** The arguments of the call whose answer the view shows; null before they came. */
  readonly input: Fields | null;
  readonly result: ToolResult | null;
  readonly cancelled: boolean;
  readonly theme: 'light' | 'dark' | null;
  /** The host did not take part in the handshake. */
  readonly failure: string | null;
}

interface HostContext {
  readonly theme?: unknown;
}

// Safe: the values of its fields stay unknown.
const fieldsIn = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const themeIn = (context: unknown): Partial<HostState> => {
  const { theme }: HostContext = fieldsIn(context);
  return theme === 'light' || theme === 'dark' ? { theme } : {};
};

/** The host of a view: the window of a chat around its frame. */
export function createHost(window: Mailbox, parent: Peer) {
  let state: HostState = { input: null, result: null, cancelled: false, theme: null, failure: null };
  const watchers = new Set<() => void>();
  const tell = (news: Partial<HostState>): void => {
    state = { ...state, ...news };
    for (const watcher of watchers) watcher();
  };
  const rpc = createRpc(parent, window, {
    notifications: {
      'ui/notifications/tool-input': ({ arguments: input }) => tell({ input: fieldsIn(input) }),
      'ui/notifications/tool-result': (result) => tell({ result, cancelled: false }),
      'ui/notifications/tool-cancelled': () => tell({ cancelled: true }),
      'ui/notifications/host-context-changed': (context) => tell(themeIn(context)),
    },
    requests: { ping: () => ({}), 'ui/resource-teardown': () => ({}) },
  });

  return {
    state: () => state,
    watch: (watcher: () => void) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    callTool: (name: string, args: Fields): Promise<ToolResult> => rpc.request('tools/call', { name, arguments: args }),
    /** Says how high the view is, so that the host gives its frame that height. */
    tellSize: (width: number, height: number) => rpc.notify('ui/notifications/size-changed', { width, height }),
    start: async (): Promise<void> => {
      try {
        const { hostContext } = await rpc.request('ui/initialize', {
          protocolVersion: PROTOCOL,
          appInfo: { name: 'errand', version: '1' },
          appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
        });
        tell(themeIn(hostContext));
        rpc.notify('ui/notifications/initialized');
      } catch (error) {
        tell({ failure: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}

export type Host = ReturnType<typeof createHost>;

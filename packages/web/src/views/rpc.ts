/** Another window, as far as messages are concerned. */
export interface Peer {
  readonly postMessage: (message: unknown, targetOrigin: string) => void;
}

/** This window, as far as messages are concerned. */
export interface Mailbox {
  readonly addEventListener: (type: 'message', listener: (event: MessageEvent) => void) => void;
}

type Params = Readonly<Record<string, unknown>>;

/** What the host refused, or could not do. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

const METHOD_NOT_FOUND = -32_601;

// Safe: the values of its fields stay unknown.
const objectIn = (value: unknown): Params => (typeof value === 'object' && value !== null ? (value as Params) : {});

/** The entry with this name. Names that every object has, such as toString, are none. */
const own = <Entry>(entries: Readonly<Record<string, Entry>>, name: unknown): Entry | undefined =>
  Object.hasOwn(entries, String(name)) ? entries[String(name)] : undefined;

export interface Handlers {
  readonly notifications: Readonly<Record<string, (params: Params) => void>>;
  /** Requests of the host, each with its result. */
  readonly requests: Readonly<Record<string, (params: Params) => Params>>;
}

/** JSON-RPC with the host of a view: the window around it, and no other. */
export function createRpc(host: Peer, mailbox: Mailbox, { notifications, requests }: Handlers) {
  const waiting = new Map<unknown, Waiting>();
  let last = 0;
  // Any site may have framed this page, so the origin of the host is not known. What is sent holds no secret.
  const send = (message: object) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');

  function answer({ id, method, params }: Message): void {
    const handle = own(requests, method);
    if (handle !== undefined) send({ id, result: handle(objectIn(params)) });
    else send({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${String(method)}` } });
  }

  function settle({ id, result, error }: Message): void {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(objectIn(result));
    else call?.reject(new HostError(typeof error.message === 'string' ? error.message : 'The host refused.'));
  }

  mailbox.addEventListener('message', ({ source, data }) => {
    const message: Message = objectIn(data);
    if (source !== host || message.jsonrpc !== '2.0') return;
    if (message.method === undefined) settle(message);
    else if (message.id === undefined) own(notifications, message.method)?.(objectIn(message.params));
    else answer(message);
  });

  return {
    notify: (method: string, params: Params = {}): void => send({ method, params }),
    request: (method: string, params: Params): Promise<Params> => {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
  };
}

export type Rpc = ReturnType<typeof createRpc>;

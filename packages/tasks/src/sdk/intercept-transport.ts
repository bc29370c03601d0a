import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

export interface Interception {
  /** Sees every message that comes in; what it takes, by answering true, the SDK never sees. */
  readonly receive: (message: JSONRPCMessage, extra: MessageExtraInfo | undefined) => boolean;
  /** Says what goes out in the place of a message. */
  readonly send: (message: JSONRPCMessage) => JSONRPCMessage;
}

type Receiver = NonNullable<Transport['onmessage']>;

/**
 * Stands between a transport and a server. The original stays where it is, since the SDK asks transports for their
 * class, and its owner feeds it requests.
 */
export const interceptTransport = (transport: Transport, { receive, send }: Interception): Transport =>
  new Proxy(transport, {
    get: (target, name) => {
      if (name === 'send') {
        return (message: JSONRPCMessage, options?: TransportSendOptions) => target.send(send(message), options);
      }
      const value: unknown = Reflect.get(target, name, target);
      // Private fields are found through the original only.
      return typeof value === 'function' && !String(name).startsWith('on') ? value.bind(target) : value;
    },
    set: (target, name, value: unknown) => {
      if (name !== 'onmessage' || typeof value !== 'function') return Reflect.set(target, name, value, target);
      const next = value as Receiver; // The interface allows nothing else here.
      target.onmessage = (message, extra) => {
        if (!receive(message, extra)) next(message, extra);
      };
      return true;
    },
  });

import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

export interface Interception {
  /** Gets every incoming message. When it returns true, the SDK does not get the message. */
  readonly receive: (message: JSONRPCMessage, extra: MessageExtraInfo | undefined) => boolean;
  /** Returns the message to send instead of the given one. */
  readonly send: (message: JSONRPCMessage) => JSONRPCMessage;
}

type Receiver = NonNullable<Transport['onmessage']>;

/**
 * Wraps a transport in a proxy. The original object is kept, since the SDK checks the class of transports,
 * and the owner of the transport passes requests to the original.
 */
export const interceptTransport = (transport: Transport, { receive, send }: Interception): Transport =>
  new Proxy(transport, {
    get: (target, name) => {
      if (name === 'send') {
        return (message: JSONRPCMessage, options?: TransportSendOptions) => target.send(send(message), options);
      }
      const value: unknown = Reflect.get(target, name, target);
      // Private fields work only on the original object.
      return typeof value === 'function' && !String(name).startsWith('on') ? value.bind(target) : value;
    },
    set: (target, name, value: unknown) => {
      if (name !== 'onmessage' || typeof value !== 'function') return Reflect.set(target, name, value, target);
      const next = value as Receiver; // The interface allows only a receiver here.
      target.onmessage = (message, extra) => {
        if (!receive(message, extra)) next(message, extra);
      };
      return true;
    },
  });

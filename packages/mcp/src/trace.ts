const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace that a `traceparent` names (W3C Trace Context), from a header or the metadata of a message. */
export const traceIdOf = (traceparent: unknown): string | undefined =>
  typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;

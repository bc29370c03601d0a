/** Asks the client's user to fill in a form. */
export const elicitation = <Schema>(message: string, requestedSchema: Schema) =>
  ({ method: 'elicitation/create', params: { message, requestedSchema } }) as const;

/** Asks the client's model for a message. */
export const sampling = <Params>(params: Params) => ({ method: 'sampling/createMessage', params }) as const;

/** Asks the client for its root folders. */
export const roots = { method: 'roots/list', params: {} } as const;

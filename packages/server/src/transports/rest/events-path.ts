const parameter = (name: string, description: string, inside: 'query' | 'header' = 'query') => ({
  name,
  in: inside,
  required: false,
  description,
  schema: { type: 'string' },
});

/** `GET /api/v1/events` in the OpenAPI document. It is no tool, because it never ends. */
export const eventsPath = (errors: Readonly<Record<string, unknown>>) => ({
  get: {
    operationId: 'listen_to_events',
    summary: 'Listen to changes',
    description:
      'Server-sent events, one for each change that the token may see, for as long as the connection lasts. A client that reconnects with `Last-Event-ID` gets the events it missed, up to 24 hours.',
    tags: ['Events'],
    parameters: [
      parameter('execution_id', 'Only changes of this execution.'),
      parameter('project_id', 'Only changes in this project.'),
      parameter('kinds', 'Only changes of these kinds, such as `step.*,execution.updated`.'),
      parameter('after', 'The number of the last change that you know. Without it you get changes from now on.'),
      parameter('Last-Event-ID', 'The same as `after`, and counts more.', 'header'),
    ],
    responses: {
      200: {
        description: 'The stream.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...errors,
    },
  },
});

import { z } from 'zod';
import { QueuedPromptId } from '#domain/ids';
import { defineTool } from '#tools/define';
import { outcome, prompt, variant } from './attempt-fields.ts';
import { boardFields, uuid } from './fields.ts';
import { queuedOf, queuedRow } from './present-attempt.ts';

export const followUp = defineTool({
  name: 'follow_up',
  title: 'Follow up',
  description:
    'Talks to the agent of an attempt: send starts a run now (refused while one goes on), queue lets the message follow the current run, cancel takes waiting messages back.',
  scope: 'board:run',
  effect: 'update',
  open_world: true,
  route: 'POST /board/follow-ups',
  input: z.object({
    attempt_id: boardFields.attempt_id
      .optional()
      .describe('Attempt key or id, for its latest session. Give this or session_id.'),
    session_id: boardFields.session_id.optional().describe('Session id. Give this or attempt_id.'),
    action: z.enum(['send', 'queue', 'cancel']).describe('What to do: send, queue or cancel.'),
    prompt: prompt.optional().describe('What to tell the agent: 1 to 100,000 characters. Required for send and queue.'),
    variant: variant.optional().describe('Variant of the agent, from list_executors.'),
    queued_id: QueuedPromptId.optional().describe('For cancel: only the message with this id; all unless given.'),
  }),
  synonyms: { workspace_id: 'attempt_id' },
  output: z.object({
    attempt_id: uuid('Attempt (UUID).'),
    session_id: uuid('Session (UUID).'),
    execution_id: uuid('Run that starts (UUID); left out when the message waits.').optional(),
    queued_id: uuid('Message that waits (UUID); left out when it started a run.').optional(),
    cancelled: z.int().optional().describe('Messages taken back; only for cancel.'),
    queue: z.array(queuedRow).describe('Messages that wait.'),
    ...outcome,
  }),
  event: 'own',
  entity: (_, { attempt_id }) => ({ kind: 'attempt', id: attempt_id }),
  follows: ({ execution_id, queued_id, session_id }) => {
    if (execution_id !== undefined) return { execution_id };
    return queued_id === undefined ? null : { queued_id, session_id };
  },
  run: async ({ input: { action, attempt_id, session_id, queued_id, ...message }, work, services }) => {
    const target = { attempt_id, session_id };
    const { followUps } = services.board;
    const { queue, ...answer } =
      action === 'cancel'
        ? await followUps.cancel(work, target, queued_id)
        : await followUps[action](work, target, message);
    return { ...answer, queue: queue.map(queuedOf) };
  },
});

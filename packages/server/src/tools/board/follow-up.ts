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
    'Talks to the agent of an attempt after its first run: "send" starts a run now and is refused while one is going, "queue" has the message follow what runs, "cancel" takes waiting messages back.',
  scope: 'board:run',
  effect: 'update',
  route: 'POST /board/follow-ups',
  input: z.object({
    attempt_id: boardFields.attempt_id
      .optional()
      .describe('The attempt, by id (UUID): its latest session is meant. Give this or session_id.'),
    session_id: boardFields.session_id.optional().describe('The session, by id (UUID). Give this or attempt_id.'),
    action: z.enum(['send', 'queue', 'cancel']).describe('What to do: "send", "queue" or "cancel".'),
    prompt: prompt
      .optional()
      .describe('What to tell the agent: 1 to 100,000 characters. Required to send and to queue.'),
    variant: variant
      .optional()
      .describe('Another way to run the agent, as list_executors names it; that of the session unless given.'),
    queued_id: QueuedPromptId.optional().describe(
      'To cancel: only this waiting message, by id (UUID); all of the session unless given.',
    ),
  }),
  synonyms: { workspace_id: 'attempt_id' },
  output: z.object({
    attempt_id: uuid('The attempt (UUID).'),
    session_id: uuid('The session that was meant (UUID).'),
    execution_id: uuid('The run that was queued to start (UUID); left out when the message waits.').optional(),
    queued_id: uuid('The message that waits (UUID); left out when it started a run.').optional(),
    cancelled: z.int().optional().describe('How many waiting messages were taken back; only for "cancel".'),
    queue: z.array(queuedRow).describe('The messages that wait in the session now, the next one first.'),
    ...outcome,
  }),
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

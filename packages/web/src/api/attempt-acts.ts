import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  addReviewComment,
  followUp,
  type MergeAttemptBody,
  mergeAttempt,
  type OpenPullRequestBody,
  openPullRequest,
  rebaseAttempt,
  resolveReviewComment,
  sendMessage,
  sendReview,
  stopAttempt,
  verifyAttempt,
} from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useToasts } from '../ui/toast.tsx';
import { reasonOf } from './client.ts';

/** A change of an attempt. A failure is shown in a toast, unless the caller shows it in place. */
function useAct<Input, Answer>(act: (input: Input) => Promise<Answer>, options: { readonly quiet?: boolean } = {}) {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: act,
    onError: (error) => {
      if (!options.quiet) toasts.show({ kind: 'refused', text: reasonOf(error) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['attempt'] }),
  });
}

/** The calls of an attempt's buttons: stop, then verify, merge, rebase, pull request, comment, resolve, send review. */
export const useStop = (attempt: string) => useAct(() => answerOf(stopAttempt(attempt, {})));

export const useVerify = (attempt: string) => useAct(() => answerOf(verifyAttempt(attempt, {})));

export const useMerge = (attempt: string) =>
  useAct((body: MergeAttemptBody) => answerOf(mergeAttempt(attempt, body)), { quiet: true });

export const useRebase = (attempt: string) =>
  useAct((body: { readonly resolve?: boolean }) => answerOf(rebaseAttempt(attempt, body)), { quiet: true });

export const usePullRequest = (attempt: string) =>
  useAct((body: OpenPullRequestBody) => answerOf(openPullRequest(attempt, body)), { quiet: true });

export interface Words {
  readonly text: string;
  /** Now: within the run that goes on, or as a new run. Later: as the next run. */
  readonly when: 'now' | 'later';
  readonly isRunning: boolean;
}

/** Tells the agent of an attempt something. */
export const useTell = (attempt: string) =>
  useAct(
    async ({ text, when, isRunning }: Words): Promise<unknown> =>
      when === 'now' && isRunning
        ? answerOf(sendMessage(attempt, { text }))
        : answerOf(followUp({ attempt_id: attempt, action: when === 'now' ? 'send' : 'queue', prompt: text })),
    { quiet: true },
  );

/** Takes a waiting follow-up back. */
export const useCancel = (attempt: string) =>
  useAct((queued_id: string) => answerOf(followUp({ attempt_id: attempt, action: 'cancel', queued_id })));

export interface NewComment {
  readonly repo_id: string;
  readonly path: string;
  readonly line: number;
  readonly side: 'new' | 'old';
  readonly text: string;
}

export const useComment = (attempt: string) =>
  useAct((comment: NewComment) => answerOf(addReviewComment(attempt, comment)), { quiet: true });

export const useResolve = () =>
  useAct(({ comment_id, resolved }: { readonly comment_id: string; readonly resolved: boolean }) =>
    answerOf(resolveReviewComment(comment_id, { resolved })),
  );

export const useSendReview = (attempt: string) => useAct(() => answerOf(sendReview(attempt, {})));

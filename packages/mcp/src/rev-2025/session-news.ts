import type { Report } from '#failures';
import type { QuestionClaims } from '#sessions';

/** A question that another process holds is tried again this often. */
const CLAIM_AGAIN_MS = 1_000;
const RENEW_EVERY_MS = 3_000;

/** News of tasks for one session, whichever of its streams carries them. */
export interface SessionNews {
  /** Whether a stream of the session already carries news of this task. */
  readonly tells: (task_id: string) => boolean;
  /** A task was made in the session. */
  readonly announce: (task_id: string) => void;
  /** The client has named the task itself, so it knows of it. */
  readonly meet: (task_id: string) => void;
  /** A stream of the session that can put questions. */
  readonly openAsker: () => Asker;
}

/** One stream that puts questions. */
export interface Asker {
  /** Sends the question, unless it is out on a stream that is still open; then when that one closes first. */
  readonly ask: (question_id: string, send: () => void) => void;
  /** The question needs no answer any more. */
  readonly settle: (question_id: string) => void;
  /** The stream is over: a question that was asked on it may not have arrived, and is asked on another one. */
  readonly close: () => void;
}

interface OpenQuestion {
  readonly session_id: string;
  readonly question_id: string;
  /** The streams that could put the question, in the order in which they came. */
  readonly streams: Map<symbol, () => void>;
  /** The stream on which the question is out. */
  asked_on: symbol | null;
  claim: 'none' | 'asked' | 'held';
}

interface Needs {
  /** Null where one process has all streams of a session. */
  readonly claims: QuestionClaims | null;
  readonly report: Report;
}

/** The questions that are out on open streams: the client's user must not see one of them twice. */
export function createOpenQuestions({ claims, report }: Needs): { readonly openAsker: (session_id: string) => Asker } {
  const open = new Map<string, OpenQuestion>();
  let renewing: NodeJS.Timeout | undefined;

  const keyOf = (session_id: string, question_id: string): string => `${session_id} ${question_id}`;
  const isOpen = (question: OpenQuestion): boolean =>
    open.get(keyOf(question.session_id, question.question_id)) === question;

  function put(question: OpenQuestion): void {
    if (question.asked_on !== null || !isOpen(question)) return;
    if (claims !== null && question.claim !== 'held') return void claim(claims, question);
    const [first] = question.streams;
    if (first === undefined) return;
    const [stream, send] = first;
    question.asked_on = stream;
    send();
  }

  async function claim({ claimQuestion }: QuestionClaims, question: OpenQuestion): Promise<void> {
    if (question.claim !== 'none') return;
    const { session_id, question_id } = question;
    question.claim = 'asked';
    const isHeld = await claimQuestion(session_id, question_id).catch((error: unknown) => {
      report(error);
      return false;
    });
    question.claim = isHeld ? 'held' : 'none';
    // It may have been settled meanwhile, and asked anew by a stream that relies on the claim.
    if (!isOpen(question)) return open.has(keyOf(session_id, question_id)) ? undefined : release(question);
    if (!isHeld) return void setTimeout(() => put(question), CLAIM_AGAIN_MS).unref();
    renewing ??= setInterval(renew, RENEW_EVERY_MS).unref();
    put(question);
  }

  function renew(): void {
    if ([...open.values()].some((question) => question.claim === 'held')) {
      claims?.renewQuestions().catch(report);
      return;
    }
    clearInterval(renewing);
    renewing = undefined;
  }

  function release({ session_id, question_id, claim: held }: OpenQuestion): void {
    if (held === 'held') claims?.releaseQuestion(session_id, question_id).catch(report);
  }

  function forget(question: OpenQuestion): void {
    open.delete(keyOf(question.session_id, question.question_id));
    release(question);
  }

  return {
    openAsker: (session_id) => {
      const own = Symbol(session_id);
      const asked = new Set<OpenQuestion>();
      return {
        ask: (question_id, send) => {
          const key = keyOf(session_id, question_id);
          const question = open.get(key) ?? {
            session_id,
            question_id,
            streams: new Map(),
            asked_on: null,
            claim: 'none' as const,
          };
          open.set(key, question);
          question.streams.set(own, send);
          asked.add(question);
          put(question);
        },
        settle: (question_id) => {
          const question = open.get(keyOf(session_id, question_id));
          if (question !== undefined) forget(question);
        },
        close: () => {
          for (const question of asked) {
            question.streams.delete(own);
            if (question.asked_on === own) question.asked_on = null;
            if (!isOpen(question)) continue;
            if (question.streams.size === 0) forget(question);
            else put(question);
          }
          asked.clear();
        },
      };
    },
  };
}

import type { Report } from '#failures';
import type { QuestionClaims } from '#sessions';

/** How often the claim of a question that another process holds is tried again. */
const CLAIM_AGAIN_MS = 1_000;
const RENEW_EVERY_MS = 3_000;

/** News of tasks for one session, whichever of its streams carries them. */
export interface SessionNews {
  /** Whether a stream of the session already carries news of this task. */
  readonly tells: (task_id: string) => boolean;
  /** Announces a new task of the session. */
  readonly announce: (task_id: string) => void;
  /** Called when the client has named the task, so that it knows the task. */
  readonly meet: (task_id: string) => void;
  /** Opens a stream of the session that can send questions. */
  readonly openAsker: () => Asker;
}

/** A stream that can send questions. */
export interface Asker {
  /** Sends the question. If it is open on another stream, sends it only when that stream closes first. */
  readonly ask: (question_id: string, send: () => void) => void;
  /** Removes a question that needs no answer any more. */
  readonly settle: (question_id: string) => void;
  /** Ends the stream. Its open questions may not have arrived, so they are sent on another stream. */
  readonly close: () => void;
}

interface OpenQuestion {
  readonly session_id: string;
  readonly question_id: string;
  /** The streams that can send the question, in the order in which they were opened. */
  readonly streams: Map<symbol, () => void>;
  /** The stream on which the question was sent. */
  asked_on: symbol | null;
  claim: 'none' | 'asked' | 'held';
}

interface Needs {
  /** Null when one process has all streams of a session. */
  readonly claims: QuestionClaims | null;
  readonly report: Report;
}

/** Tracks the questions on open streams: the client's user must not see a question twice. */
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
    // During the claim the question may have been settled, and asked again by a stream that needs the claim.
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

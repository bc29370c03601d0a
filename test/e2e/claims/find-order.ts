/** One call of a client: when it began and when its answer came. A call without an answer is never over. */
export interface Timed {
  readonly called: number;
  readonly returned: number;
}

/** What the calls change: the state at first, and the state after a call that could have come next. */
export interface Model<State, Call> {
  readonly first: State;
  /** Null when the call cannot have had its answer in this state. */
  readonly after: (state: State, call: Call) => State | null;
  /** Equal for equal states. */
  readonly nameOf: (state: State) => string;
}

interface Mark<Call> {
  readonly call: Call;
  readonly number: number;
  readonly isReturn: boolean;
  next: Mark<Call> | null;
  previous: Mark<Call> | null;
  /** The return of a call; null when the call was never answered. */
  end: Mark<Call> | null;
}

const MAX_STATES = 2_000_000;

/** Links the beginnings and ends of all calls in the order of time, behind a head. */
function linked<Call extends Timed>(calls: readonly Call[]): Mark<Call> {
  const marks = calls.flatMap((call, number) => {
    const end = { call, number, isReturn: true, next: null, previous: null, end: null };
    const begin: Mark<Call> = { ...end, isReturn: false, end: call.returned === Infinity ? null : end };
    return call.returned === Infinity ? [begin] : [begin, end];
  });
  const at = ({ call, isReturn }: Mark<Call>): number => (isReturn ? call.returned : call.called);
  // At one moment beginnings come first: calls that may have overlapped are taken to have.
  const sorted = marks.toSorted((a, b) => at(a) - at(b) || Number(a.isReturn) - Number(b.isReturn));
  // Nobody reads the call of the head.
  const head: Mark<Call> = {
    call: calls[0] as Call,
    number: -1,
    isReturn: false,
    next: null,
    previous: null,
    end: null,
  };
  let last = head;
  for (const mark of sorted) {
    last.next = mark;
    mark.previous = last;
    last = mark;
  }
  return head;
}

function unlink<Call>(mark: Mark<Call> | null): void {
  if (mark === null) return;
  if (mark.previous !== null) mark.previous.next = mark.next;
  if (mark.next !== null) mark.next.previous = mark.previous;
}

function relink<Call>(mark: Mark<Call> | null): void {
  if (mark === null) return;
  if (mark.previous !== null) mark.previous.next = mark;
  if (mark.next !== null) mark.next.previous = mark;
}

/**
 * Looks for an order of the calls in which each has the answer that it had, and none comes before one that was over when it
 * began: the search of Wing and Gong, with the visited states of Lowe. A call without an answer may have happened at any time
 * after it began, or never. Returns null when there is no such order.
 */
export function findOrder<State, Call extends Timed>(
  calls: readonly Call[],
  { first, after, nameOf }: Model<State, Call>,
): readonly Call[] | null {
  const head = linked(calls);
  const visited = new Set<string>();
  const taken: { readonly mark: Mark<Call>; readonly before: State }[] = [];
  let unanswered = calls.filter(({ returned }) => returned !== Infinity).length;
  let state = first;
  let done = 0n;
  let mark = head.next;

  while (unanswered > 0) {
    const next = mark === null || mark.isReturn ? null : after(state, mark.call);
    if (mark !== null && next !== null) {
      const bit = 1n << BigInt(mark.number);
      const name = `${(done | bit).toString(36)} ${nameOf(next)}`;
      if (!visited.has(name)) {
        if (visited.size >= MAX_STATES) throw new Error(`A history of ${calls.length} calls is too long to be judged.`);
        visited.add(name);
        taken.push({ mark, before: state });
        state = next;
        done |= bit;
        if (mark.end !== null) unanswered--;
        unlink(mark);
        unlink(mark.end);
        mark = head.next;
        continue;
      }
    }
    if (mark !== null && !mark.isReturn) {
      mark = mark.next;
      continue;
    }
    // A call that has ended comes before all that follow, so another of those before its end must be tried.
    const last = taken.pop();
    if (last === undefined) return null;
    state = last.before;
    done &= ~(1n << BigInt(last.mark.number));
    if (last.mark.end !== null) unanswered++;
    relink(last.mark.end);
    relink(last.mark);
    mark = last.mark.next;
  }
  return taken.map(({ mark: { call } }) => call);
}

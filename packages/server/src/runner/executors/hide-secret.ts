import type { RunExecutor, RunSink } from '#runner/executor';

const HIDDEN = '[token]';

/** Runs an executor so that nothing that it tells holds the token of the run: agents print what they were given. */
export const hideSecret =
  (run: RunExecutor): RunExecutor =>
  async (job, sink) => {
    const hide = (text: string): string => text.replaceAll(job.mcp.token, HIDDEN);
    const hideSome = (text: string | null): string | null => (text === null ? null : hide(text));
    const hiding: RunSink = {
      ...sink,
      feed: (kind, text) => sink.feed(kind, hide(text)),
      step: (key, step) => sink.step(key, { ...step, name: hide(step.name), message: hideSome(step.message) }),
      ask: (question) =>
        sink.ask({ ...question, question: hide(question.question), details: hideSome(question.details) }),
    };
    const end = await run(job, hiding);
    return { ...end, reason: hideSome(end.reason), summary: hideSome(end.summary) };
  };

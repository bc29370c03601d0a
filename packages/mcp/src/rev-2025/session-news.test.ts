import { describe, expect, it } from 'vitest';
import { createOpenQuestions } from './session-news.ts';

/** Opens three streams of one session, and records which of them a question was sent on. */
function threeStreams() {
  const { openAsker } = createOpenQuestions({ claims: null, report: () => expect.unreachable() });
  const sent: string[] = [];
  const stream = (name: string, session_id = 'one') => {
    const asker = openAsker(session_id);
    return {
      ...asker,
      put: (question_id: string) => asker.ask(question_id, () => sent.push(`${name} ${question_id}`)),
    };
  };
  return { stream, first: stream('first'), second: stream('second'), third: stream('third'), sent };
}

describe('a question to a session', () => {
  it('[A8] is sent on only one of its streams', () => {
    const { first, second, sent } = threeStreams();

    first.put('q');
    second.put('q');
    second.put('other');

    expect(sent).toEqual(['first q', 'second other']);
  });

  it('[A8] is sent on another stream when the first closes before the answer', () => {
    const { first, second, third, sent } = threeStreams();
    for (const stream of [first, second, third]) stream.put('q');

    third.close();
    first.close();
    second.close();
    first.put('q');

    expect(sent).toEqual(['first q', 'second q', 'first q']);
  });

  it('[A8] is not sent again after it was answered', () => {
    const { first, second, sent } = threeStreams();
    first.put('q');
    second.put('q');

    second.settle('q');
    first.close();

    expect(sent).toEqual(['first q']);
  });

  it('[A8] is never sent on a stream of another session', () => {
    const { stream, first, sent } = threeStreams();

    first.put('q');
    stream('other', 'two').put('q');

    expect(sent).toEqual(['first q', 'other q']);
  });
});

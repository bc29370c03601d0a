import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EventStream, OpenStreams } from './event-stream.ts';

const aResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

function opened(...responses: readonly ServerResponse[]) {
  const streams = new OpenStreams<{ windUp(): void }>();
  const woundUp: number[] = [];
  for (const [index, res] of responses.entries()) {
    streams.add(new EventStream(res, undefined), { windUp: () => woundUp.push(index) }, res);
  }
  return { streams, woundUp };
}

describe('open streams', () => {
  it('are wound up while they are open', () => {
    const { streams, woundUp } = opened(aResponse(), aResponse());

    streams.windUp();

    expect(woundUp).toEqual([0, 1]);
  });

  it('are forgotten when they close', () => {
    const closing = aResponse();
    const { streams, woundUp } = opened(closing, aResponse());

    closing.emit('close');
    streams.windUp();

    expect(woundUp).toEqual([1]);
  });

  it('do not keep a stream whose client disconnected before it opened', () => {
    const left = aResponse();
    left.destroy();
    const { streams, woundUp } = opened(left);

    streams.windUp();

    expect(woundUp).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Frame } from '#gateway/events-frames';
import { endText, eventBytes } from './wire.ts';

/** A frame that counts how often its text is built. */
function aFrame(seq: number) {
  const asked = { times: 0 };
  const frame: Frame = {
    seq,
    kind: 'step.created',
    get json() {
      asked.times++;
      return `{"name":"🪜 ${seq}"}`;
    },
  };
  return { frame, asked };
}

describe('frames as server-sent events', () => {
  it('follow each other with number, kind and data, in UTF-8', () => {
    const frames = [aFrame(7).frame, aFrame(8).frame];

    const bytes = eventBytes(frames);

    expect(bytes.toString()).toBe(
      'id: 7\nevent: step.created\ndata: {"name":"🪜 7"}\n\nid: 8\nevent: step.created\ndata: {"name":"🪜 8"}\n\n',
    );
  });

  it('are encoded once, for all followers', () => {
    const [first, second] = [aFrame(1), aFrame(2)];
    const all = [first.frame, second.frame];

    const twice = [eventBytes(all), eventBytes(all)];
    eventBytes([second.frame]);

    expect(twice[0]).toBe(twice[1]);
    expect([first.asked.times, second.asked.times]).toEqual([1, 1]);
  });

  it('end without a number, so that the follower’s last one stays', () => {
    expect(endText('unauthenticated')).toBe('event: end\ndata: {"reason":"unauthenticated"}\n\n');
  });
});

import type { Frame } from '#gateway/events-frames';

// Listeners share frames and lists of them, and so the bytes: they are made once for all, and go with the last who hears them.
const kept = new WeakMap<Frame | readonly Frame[], Buffer>();

function keep(key: Frame | readonly Frame[], encode: () => Buffer): Buffer {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const bytes = encode();
  kept.set(key, bytes);
  return bytes;
}

const frameBytes = (frame: Frame): Buffer =>
  keep(frame, () => Buffer.from(`id: ${frame.seq}\nevent: ${frame.kind}\ndata: ${frame.json}\n\n`));

/** Frames as server-sent events, one after another. */
export const eventBytes = (frames: readonly Frame[]): Buffer =>
  keep(frames, () => Buffer.concat(frames.map(frameBytes)));

/** The last thing that a listener hears who may not listen any longer. */
export const endText = (reason: string): string => `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;

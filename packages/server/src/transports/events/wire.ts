import type { Frame } from '#gateway/events-frames';

// Streams share frames and lists of frames, so the bytes are made once for all. They are freed with the last stream.
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

/** Encodes frames as server-sent events. */
export const eventBytes = (frames: readonly Frame[]): Buffer =>
  keep(frames, () => Buffer.concat(frames.map(frameBytes)));

/** The last event of a stream whose caller may no longer follow. */
export const endText = (reason: string): string => `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;

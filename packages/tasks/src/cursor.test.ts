import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

const places = fc.record({ created_at: fc.nat(), task_id: fc.uuid({ version: 4 }) });

describe('cursor', () => {
  it('[A5, INTG-07] leads its owner back to its position', () => {
    fc.assert(
      fc.property(fc.string(), places, (owner_id, place) => {
        const cursor = encodeCursor(owner_id, place);

        expect(decodeCursor(owner_id, cursor)).toEqual(place);
      }),
    );
  });

  it('[A5, O2] is refused from any other owner', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), places, (owner_id, other_id, place) => {
        fc.pre(owner_id !== other_id);
        const cursor = encodeCursor(owner_id, place);

        const read = () => decodeCursor(other_id, cursor);

        expect(read).toThrow(expect.objectContaining({ code: 'invalid_params', rpc_code: -32602 }));
      }),
    );
  });

  it('[A5] is refused when any character is changed', () => {
    const cursor = encodeCursor('sub:ada', {
      created_at: 1_760_000_000_000,
      task_id: 'd3b07384-d9a0-4c9b-8f3e-1b2c3d4e5f60',
    });
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n';

    const taken = [...cursor].flatMap((letter, at) =>
      [...letters]
        .filter((other) => other !== letter)
        .map((other) => cursor.slice(0, at) + other + cursor.slice(at + 1))
        .filter((changed) => isTaken(changed)),
    );

    expect(taken).toEqual([]);
  });

  it('[A5] is refused when it is any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isTaken(text)).toBe(false);
      }),
    );
  });
});

function isTaken(text: string): boolean {
  try {
    decodeCursor('sub:ada', text);
    return true;
  } catch {
    return false;
  }
}

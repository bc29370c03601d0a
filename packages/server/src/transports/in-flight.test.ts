import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createInFlight } from './in-flight.ts';

const anAnswer = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

it('holds the answers that were added and not deleted', () => {
  const inFlight = createInFlight();
  const [a, b, c, d] = [anAnswer(), anAnswer(), anAnswer(), anAnswer()];
  for (const res of [a, b, c, d]) inFlight.add(res);

  inFlight.delete(b);
  inFlight.delete(d);

  expect(inFlight.size).toBe(2);
  expect(new Set(inFlight)).toEqual(new Set([a, c]));
});

it('deletes an answer once, also the last one', () => {
  const inFlight = createInFlight();
  const [a, b] = [anAnswer(), anAnswer()];
  inFlight.add(a);
  inFlight.add(b);

  inFlight.delete(a);
  inFlight.delete(a);

  expect([...inFlight]).toEqual([b]);
  inFlight.delete(b);
  expect(inFlight.size).toBe(0);
});

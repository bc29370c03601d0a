import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './limits.ts';
import { resolveOwner } from './owner.ts';

const OPEN = { allow_anonymous: true };

describe('the owner of a task', () => {
  it('[O1, SEC-01] is the subject, else the client, else the session', () => {
    const all = { subject: 'ann', client_id: 'cli', session_id: 'ses' };

    expect(resolveOwner(all, OPEN)).toBe('sub:ann');
    expect(resolveOwner({ ...all, subject: undefined }, OPEN)).toBe('client:cli');
    expect(resolveOwner({ session_id: 'ses' }, OPEN)).toBe('session:ses');
  });

  it('[O1, SEC-07, TEST-06] is never a session unless anonymous tasks are allowed', () => {
    expect(DEFAULT_LIMITS.allow_anonymous).toBe(false);
    expect(() => resolveOwner({ session_id: 'ses' }, DEFAULT_LIMITS)).toThrow('send a token');
  });

  it('[O1, SEC-07] is missing without subject, client and session, also when anonymous tasks are allowed', () => {
    expect(() => resolveOwner({}, OPEN)).toThrow('send a token');
    expect(() => resolveOwner({ subject: '', client_id: '', session_id: '' }, OPEN)).toThrow('send a token');
  });

  it('[O2, TEST-07] differs for any two requestors, whatever ids they choose', () => {
    const requestor = fc.record({ subject: fc.string(), client_id: fc.string(), session_id: fc.string() });
    const named = requestor.filter(
      ({ subject, client_id, session_id }) => `${subject}${client_id}${session_id}` !== '',
    );
    const identity = ({ subject, client_id, session_id }: { subject: string; client_id: string; session_id: string }) =>
      JSON.stringify(subject ? { subject } : client_id ? { client_id } : { session_id });

    fc.assert(
      fc.property(named, named, (a, b) => {
        expect(resolveOwner(a, OPEN) === resolveOwner(b, OPEN)).toBe(identity(a) === identity(b));
      }),
    );
  });
});

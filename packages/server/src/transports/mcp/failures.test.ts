import { LimitError } from '@errand/mcp';
import { describe, expect, it } from 'vitest';
import { ErrandError } from '#errors';
import { createMcpFailures } from './failures.ts';

describe('an error in an MCP answer', () => {
  it('of the product keeps its code, words and status, and is not reported', () => {
    const reported: unknown[] = [];
    const failures = createMcpFailures((error) => reported.push(error));
    const error = new ErrandError('unauthenticated', 'This token was revoked.');

    const data = { code: 'unauthenticated', retryable: false, correlation_id: 'abc' };
    expect(failures.describe(error, 'abc')).toEqual({ message: 'This token was revoked.', data, status: 401 });
    expect(failures.passesOn(error)).toBe(true);
    expect(reported).toEqual([]);
  });

  it('of the library that concerns a limit is rate_limited', () => {
    const failures = createMcpFailures(() => undefined);

    expect(failures.describe(new LimitError('Too long.'), 'abc')).toMatchObject({
      message: 'Too long.',
      data: { code: 'rate_limited', retryable: true },
      status: 429,
    });
  });

  it('of any other kind is reported, and shows the client nothing of itself', () => {
    const reported: unknown[] = [];
    const failures = createMcpFailures((error) => reported.push(error));
    const error = new Error('secret words');

    const said = failures.describe(error, 'abc');

    expect(JSON.stringify(said)).not.toContain('secret');
    expect(said).toMatchObject({ data: { code: 'internal', correlation_id: 'abc' } });
    expect(said.status).toBeUndefined();
    expect(failures.passesOn(error)).toBe(false);
    expect(reported).toEqual([error]);
  });
});

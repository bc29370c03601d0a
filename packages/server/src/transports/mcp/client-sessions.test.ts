import { describe, expect, it } from 'vitest';
import { a2025Client, CAN_ANSWER, initialize, LISTEN } from '#testing/mcp-2025-client';
import { createServed } from '#testing/served';

describe.concurrent('the session of a 2025 client', () => {
  it('is opened for a client that can be asked, and for no other', async () => {
    await using served = await createServed();
    const client = a2025Client(served.authorization);

    const sessions = await Promise.all(
      [{ elicitation: {} }, { sampling: {} }, { roots: {} }, {}].map(
        async (capabilities) => (await client.post(served.url, initialize(capabilities))).headers['mcp-session-id'],
      ),
    );
    const stateless = await client.request(served.url, 'ping', {});
    const listening = await client.send(served.url, 'GET');

    expect(sessions.map((id) => typeof id)).toEqual(['string', 'string', 'undefined', 'undefined']);
    expect([stateless.status, listening.status]).toEqual([200, 405]);
  });

  it('is known to every server of the database, until it is ended at one of them', async () => {
    await using served = await createServed();
    await using other = await served.beside();
    const client = a2025Client(served.authorization);
    const session = await client.open(served.url);

    const during = await client.request(other.url, 'ping', {}, session);
    const ended = await client.send(other.url, 'DELETE', session);
    const after = await client.request(served.url, 'ping', {}, session);

    expect([during.status, ended.status, after.status]).toEqual([200, 204, 404]);
  });

  it('does not exist for another token, not even of the same person', async () => {
    await using served = await createServed();
    const session = await a2025Client(served.authorization).open(served.url);
    const thief = a2025Client(`Bearer ${String((await served.world.token({})).token)}`);

    const answers = [
      await thief.request(served.url, 'ping', {}, session),
      await thief.send(served.url, 'GET', session),
      await thief.send(served.url, 'DELETE', session),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('ends when it was idle for too long', async () => {
    const limits = { max_sessions: 9, max_sessions_per_caller: 9, idle_ms: 60_000 };
    await using served = await createServed({}, { client_session_limits: limits });
    const client = a2025Client(served.authorization);
    const session = await client.open(served.url);

    const statuses = [];
    for (const pause of [59_999, 59_999, 60_000]) {
      served.world.time.now += pause;
      statuses.push((await client.request(served.url, 'ping', {}, session)).status);
      // The last use of the session is written after the answer.
      await served.world.store.transaction(async () => undefined);
    }

    expect(statuses).toEqual([200, 200, 404]);
  });

  it('replaces the caller’s oldest one, and none of another caller', async () => {
    const limits = { max_sessions: 3, max_sessions_per_caller: 2, idle_ms: 60_000 };
    await using served = await createServed({}, { client_session_limits: limits });
    const client = a2025Client(served.authorization);
    const other = a2025Client(`Bearer ${String((await served.world.token({})).token)}`);

    const sessions = [];
    for (let i = 0; i < 3; i += 1) {
      served.world.time.now += 1;
      sessions.push(await client.open(served.url));
    }
    const foreign = await other.open(served.url);
    const beyond = await other.post(served.url, initialize(CAN_ANSWER));
    const statuses = await Promise.all(
      [...sessions.map((session) => [client, session] as const), [other, foreign] as const].map(
        async ([who, session]) => (await who.request(served.url, 'ping', {}, session)).status,
      ),
    );

    expect(statuses).toEqual([404, 200, 200, 200]);
    expect([beyond.status, beyond.headers['mcp-session-id']]).toEqual([200, undefined]);
  });

  it('has its stream cut off when its token is revoked', async () => {
    await using served = await createServed();
    const { token, token_id } = await served.world.token({});
    const client = a2025Client(`Bearer ${String(token)}`);
    const stream = await client.stream(served.url, LISTEN, await client.open(served.url));

    await served.world.ask('admin_revoke_token', { token_id });

    await stream.over;
    expect(stream.status).toBe(200);
  });
});

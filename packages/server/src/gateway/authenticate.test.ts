import { describe, expect, it } from 'vitest';
import { ErrandError } from '#errors';
import { createWorld } from '#testing/world';

describe('a pass', () => {
  it('finds the caller that it was made for', async () => {
    await using world = await createWorld();
    const caller = await world.callerWith({});

    const passes = [world.gateway.passOf(world.owner), world.gateway.passOf(caller)];

    expect(await Promise.all(passes.map(world.gateway.recall))).toEqual([world.owner, caller]);
  });

  it('holds no secret', async () => {
    await using world = await createWorld();
    const { token } = await world.token({});

    const pass = world.gateway.passOf(await world.gateway.authenticate(String(token)));

    expect(pass).not.toContain(String(token).slice(12, 24));
  });

  it('is invalid after the token was revoked, has expired, or its owner is blocked', async () => {
    await using world = await createWorld();
    const user_id = await world.addUser('Al');
    const revoked = await world.token({});
    const tokens = [revoked, await world.token({ expires_in: '1d' }), await world.token({ user_id })];
    const callers = await Promise.all(tokens.map(({ token }) => world.gateway.authenticate(String(token))));
    const passes = callers.map(world.gateway.passOf);

    await world.ask('admin_revoke_token', { token_id: revoked.token_id });
    await world.ask('admin_block_user', { user_id });
    world.time.now += 86_400_000;

    for (const pass of passes)
      await expect(world.gateway.recall(pass)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is made only for a caller that the gateway has authenticated', async () => {
    await using world = await createWorld();
    const fault = new ErrandError('database_error', 'The database is away.');

    expect(() => world.gateway.passOf({ ...world.owner })).toThrow('valid token');
    expect(() => world.gateway.passOf({ ...world.owner, kind: 'stranger', fault })).toThrow('away');
  });

  it('without a token is valid only where anonymous access is allowed', async () => {
    await using open = await createWorld({ allowAnonymous: true });
    await using closed = await createWorld();

    const pass = open.gateway.passOf(await open.gateway.authenticate(null));

    expect(await open.gateway.recall(pass)).toMatchObject({ kind: 'local' });
    await expect(closed.gateway.recall(pass)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(closed.gateway.recall('token:made up')).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

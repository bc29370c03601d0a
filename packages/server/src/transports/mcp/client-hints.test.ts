import { type CallContext, clientInfoOf, type JsonObject } from '@errand/mcp';
import { describe, expect, it } from 'vitest';
import { clientHints, type Surroundings } from './client-hints.ts';

interface Given extends Partial<Pick<CallContext<null>, 'meta' | 'client' | 'user_agent'>> {
  readonly surroundings?: Surroundings;
}

const hintsOf = ({ surroundings, ...call }: Given) =>
  clientHints({ meta: {}, client: null, user_agent: undefined, ...call }, surroundings);

const codex = (turn: unknown): JsonObject => ({ 'x-codex-turn-metadata': turn });

describe('a client hint', () => {
  it.each([
    ['an object', { session_id: 'abc', turn_id: 't' }],
    ['JSON text', '{"session_id":"abc","turn_id":"t"}'],
  ])('holds the session that Codex sends as %s', (_, turn) => {
    expect(hintsOf({ meta: codex(turn) })).toEqual({ session_id: 'abc' });
  });

  it.each([['{"session_id":'], ['[]'], [7], [null], [{ session_id: 7 }], [{ session_id: 'x'.repeat(201) }]])(
    'holds no session of %j',
    (turn) => {
      expect(hintsOf({ meta: codex(turn) })).toBeUndefined();
    },
  );

  it('names the program by its own name, or by its header', () => {
    const client = clientInfoOf({ name: 'gemini-cli-mcp-client', version: '0.61.0' });
    const user_agent = 'opencode/1.18.33';

    expect(hintsOf({ client, user_agent })).toEqual({ client: 'gemini-cli-mcp-client 0.61.0' });
    expect(hintsOf({ user_agent })).toEqual({ client: 'opencode 1.18.33' });
  });

  it.each([
    ['codex-mcp-client/0.166.0', 'codex-mcp-client 0.166.0'],
    ['claude-code/2.1.325 (sdk-cli)', 'claude-code 2.1.325'],
    ['node', undefined],
    ['Mozilla/5.0 (X11; Linux x86_64)', undefined],
    ['a b/1', undefined],
  ])('reads the header %s', (user_agent, client) => {
    expect(hintsOf({ user_agent })?.client).toBe(client);
  });

  it('prefers the hints of the call to those of the process', () => {
    const surroundings = () => ({ session_id: 'of the environment', folder: '/work', branch: 'main' });

    expect(hintsOf({ meta: codex({ session_id: 'of the call' }), surroundings })).toEqual({
      session_id: 'of the call',
      folder: '/work',
      branch: 'main',
    });
    expect(hintsOf({ surroundings })).toEqual({ session_id: 'of the environment', folder: '/work', branch: 'main' });
  });

  it('is empty for a client that sends none, and names no program without a name', () => {
    expect(hintsOf({})).toBeUndefined();
    expect(clientInfoOf({ version: '1' })).toBeNull();
    expect(clientInfoOf('codex')).toBeNull();
  });
});

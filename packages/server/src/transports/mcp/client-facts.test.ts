import { type CallContext, clientInfoOf, type JsonObject } from '@errand/mcp';
import { describe, expect, it } from 'vitest';
import { clientFactsOf, type Surroundings } from './client-facts.ts';

interface Given extends Partial<Pick<CallContext<null>, 'meta' | 'client' | 'user_agent'>> {
  readonly surroundings?: Surroundings;
}

const factsOf = ({ surroundings, ...call }: Given) =>
  clientFactsOf({ meta: {}, client: null, user_agent: undefined, ...call }, surroundings);

const codex = (turn: unknown): JsonObject => ({ 'x-codex-turn-metadata': turn });

describe('a client hint', () => {
  it.each([
    ['an object', { session_id: 'abc', turn_id: 't' }],
    ['JSON text', '{"session_id":"abc","turn_id":"t"}'],
  ])('holds the session that Codex sends as %s', (_, turn) => {
    expect(factsOf({ meta: codex(turn) })).toEqual({ session_id: 'abc' });
  });

  it.each([['{"session_id":'], ['[]'], [7], [null], [{ session_id: 7 }], [{ session_id: 'x'.repeat(201) }]])(
    'holds no session of %j',
    (turn) => {
      expect(factsOf({ meta: codex(turn) })).toBeUndefined();
    },
  );

  it('names the program by its own name, or by its header', () => {
    const client = clientInfoOf({ name: 'gemini-cli-mcp-client', version: '0.61.0' });
    const user_agent = 'opencode/1.18.33';

    expect(factsOf({ client, user_agent })).toEqual({ client: 'gemini-cli-mcp-client 0.61.0' });
    expect(factsOf({ user_agent })).toEqual({ client: 'opencode 1.18.33' });
  });

  it.each([
    ['codex-mcp-client/0.166.0', 'codex-mcp-client 0.166.0'],
    ['claude-code/2.1.325 (sdk-cli)', 'claude-code 2.1.325'],
    ['node', undefined],
    ['Mozilla/5.0 (X11; Linux x86_64)', undefined],
    ['a b/1', undefined],
  ])('reads the header %s', (user_agent, client) => {
    expect(factsOf({ user_agent })?.client).toBe(client);
  });

  it('prefers the facts of the call to those of the process', () => {
    const surroundings = () => ({ session_id: 'of the environment', folder: '/work', branch: 'main' });

    expect(factsOf({ meta: codex({ session_id: 'of the call' }), surroundings })).toEqual({
      session_id: 'of the call',
      folder: '/work',
      branch: 'main',
    });
    expect(factsOf({ surroundings })).toEqual({ session_id: 'of the environment', folder: '/work', branch: 'main' });
  });

  it('is empty for a client that sends no facts, and names no program without a name', () => {
    expect(factsOf({})).toBeUndefined();
    expect(clientInfoOf({ version: '1' })).toBeNull();
    expect(clientInfoOf('codex')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { CLIENTS, setupLines } from '#transports/mcp-clients';
import { clientNamed, serverAddress } from './connect.ts';

describe('the address of a server', () => {
  it.each([
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
    ['https://tasks.example.com/errand//', 'https://tasks.example.com/errand'],
  ])('is taken from %s', (typed, address) => {
    expect(serverAddress(typed)).toBe(address);
  });

  it.each(['foo', 'localhost:8080', '', 'file:///etc/passwd', 'http://', 'http://a/?b=c', 'http://a/#b'])(
    'is not %j',
    (typed) => {
      expect(() => serverAddress(typed)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    },
  );
});

describe('the set-up of the clients', () => {
  const linesOf = (name: string) => setupLines(clientNamed(name).setup('URL/mcp', 'TOKEN'));

  const TRIED: readonly (readonly [string, string])[] = [
    ['claude', 'claude mcp add -s user --transport http errand URL/mcp --header "Authorization: Bearer TOKEN"'],
    ['codex', '# ~/.codex/config.toml'],
    ['gemini', 'gemini mcp add -s user -t http -H "Authorization: Bearer TOKEN" errand URL/mcp'],
    ['opencode', '// ~/.config/opencode/opencode.jsonc'],
    ['qwen', 'qwen mcp add -s user -t http -H "Authorization: Bearer TOKEN" errand URL/mcp'],
    ['copilot', 'copilot mcp add --transport http --header "Authorization: Bearer TOKEN" errand URL/mcp'],
    ['cline', 'cline mcp add errand URL/mcp --transport streamableHttp --header "Authorization: Bearer TOKEN" --yes'],
    ['cursor', '// ~/.cursor/mcp.json'],
    ['vscode', '// mcp.json of the user profile'],
  ];

  it.each(TRIED)('of %s is spelled as it was tested', (name, first) => {
    expect(linesOf(name)[0]).toBe(first);
    expect(linesOf(name).join('\n')).toContain('Bearer TOKEN');
  });

  it('leaves out no client', () => {
    expect(TRIED.map(([name]) => name)).toEqual(CLIENTS.map(({ name }) => name));
  });
});

import { describe, expect, it } from 'vitest';
import { wantedProfiles } from './wanted-profiles.ts';

const wanted = (url: string, header?: string) =>
  wantedProfiles({ url, headers: header === undefined ? {} : { 'errand-profiles': header } });

describe('the profiles that a client wants', () => {
  it('are all of them unless it says which', () => {
    expect(wanted('/mcp')).toBeUndefined();
    expect(wanted('/mcp?other=1')).toBeUndefined();
  });

  it('are named in the address, in a header, or in both, which narrows', () => {
    expect(wanted('/mcp?profiles=board,executions')).toEqual(['board', 'executions']);
    expect(wanted('/mcp', 'executions, board')).toEqual(['board', 'executions']);
    expect(wanted('/mcp?profiles=board,executions', 'board,todo')).toEqual(['board']);
  });

  it.each(['bord', '', 'admin', 'toString', 'x'.repeat(10_000)])('cannot be %j', (name) => {
    expect(() => wanted(`/mcp?profiles=board,${name}`)).toThrow(/^There is no profile "[^"]{0,40}"\.$/);
  });
});

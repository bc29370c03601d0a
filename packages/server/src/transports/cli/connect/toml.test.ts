import { describe, expect, it } from 'vitest';
import { NotToml, removeTable, setTable } from './toml.ts';

const TABLE = ['mcp_servers', 'errand'];
const NEW = '[mcp_servers.errand]\nurl = "u"';
const set = (text: string): string => setTable(text, TABLE, NEW);

describe('a table of a TOML file', () => {
  const KEPT: readonly (readonly [string, string, string])[] = [
    ['an empty text', '', `${NEW}\n`],
    ['a file without it', '# mine\nmodel = "x" # y\n', `# mine\nmodel = "x" # y\n\n${NEW}\n`],
    [
      'a file that has it, with tables inside',
      'a = 1\n\n[mcp_servers.errand]\nurl = "old"\n[mcp_servers.errand.env]\nX = "1"\n\n# next\n[mcp_servers."x.y"]\nurl = "z"\n',
      `a = 1\n\n${NEW}\n\n# next\n[mcp_servers."x.y"]\nurl = "z"\n`,
    ],
    [
      'texts of several lines that look like it',
      'a = """\n[mcp_servers.errand]\n\\"""\n"""\nb = [\n  "[x]", # ]\n]\nc = \'\'\'\n[mcp_servers.errand]\'\'\'\n',
      `a = """\n[mcp_servers.errand]\n\\"""\n"""\nb = [\n  "[x]", # ]\n]\nc = '''\n[mcp_servers.errand]'''\n\n${NEW}\n`,
    ],
    ['line breaks of Windows', 'a = 1\r\n', `a = 1\r\n\r\n${NEW.replace('\n', '\r\n')}\r\n`],
    ['another spelling of its name', `[ mcp_servers . "errand" ]\nurl = 1\n`, `${NEW}\n`],
  ];

  it.each(KEPT)('is set in %s', (_, before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each(['', '# mine\nmodel = "x"\n', '[a]\nb = 1\n\n[[c]]\nd = { e = [1] }\n'])('is set once in %j', (text) => {
    const once = set(text);

    expect(set(once)).toBe(once);
    expect(removeTable(once, TABLE)).toBe(text);
  });

  it('changes nothing where it does not exist', () => {
    expect(removeTable('[mcp_servers.other]\nurl = 1\n', TABLE)).toBe('[mcp_servers.other]\nurl = 1\n');
  });

  it.each([
    'x = [',
    'x = "',
    'x = """\n',
    'x\n',
    '[a\n',
    'x = ]',
    'mcp_servers = { errand = { url = "u" } }',
    '[mcp_servers]\nerrand = { url = "u" }',
    'mcp_servers.errand.url = "u"',
  ])('is not set in %j', (text) => {
    expect(() => set(text)).toThrow(NotToml);
  });
});

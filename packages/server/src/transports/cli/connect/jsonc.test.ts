import { describe, expect, it } from 'vitest';
import { addElement, NotJson, removeElement, removeMember, setMember } from './jsonc.ts';

const set = (text: string): string => setMember(text, ['servers', 'errand'], { url: 'u' });
const ENTRY = '"errand": {\n      "url": "u"\n    }';

describe('a member of a JSON file with comments', () => {
  const KEPT: readonly (readonly [string, string, string])[] = [
    ['an empty text', '', '{\n  "servers": {\n    "errand": {\n      "url": "u"\n    }\n  }\n}\n'],
    ['an empty object', '{}\n', `{\n  "servers": {\n    ${ENTRY}\n  }\n}\n`],
    ['other members', '{\n  "a": 1\n}', `{\n  "a": 1,\n  "servers": {\n    ${ENTRY}\n  }\n}`],
    [
      'other servers and their comments',
      '{\n  // mine\n  "servers": {\n    "x": 1 // keep\n  }\n}',
      `{\n  // mine\n  "servers": {\n    "x": 1, // keep\n    ${ENTRY}\n  }\n}`,
    ],
    [
      'a trailing comma',
      '{\n  "servers": {\n    "x": [1, 2,], /* a */\n  },\n}',
      `{\n  "servers": {\n    "x": [1, 2,], /* a */\n    ${ENTRY},\n  },\n}`,
    ],
    ['one line', '{"servers":{"x":1}}', `{"servers":{"x":1,\n    ${ENTRY}\n  }}`],
    [
      'an earlier entry',
      '{"servers":{"errand":{"old":[1]},"x":1}}',
      `{"servers":{${ENTRY.replace(': {', ':{')},"x":1}}`,
    ],
    ['a byte order mark', '\uFEFF{}', `\uFEFF{\n  "servers": {\n    ${ENTRY}\n  }\n}`],
    [
      'line breaks of Windows',
      '{\r\n  "a": 1\r\n}',
      `{\n  "a": 1,\n  "servers": {\n    ${ENTRY}\n  }\n}`.replaceAll('\n', '\r\n'),
    ],
  ];

  it.each(KEPT)('is added to %s', (_, before, after) => {
    expect(set(before)).toBe(after);
  });

  it('is added once', () => {
    const once = set('{\n\t"servers": {\n\t\t"x": 1 // keep\n\t}\n}\n');

    expect(set(once)).toBe(once);
  });

  it.each(['{\n  "servers": {\n    "x": 1\n  }\n}', '{\n  // c\n  "servers": {\n    "x": {"y": [1]}\n  } // d\n}\n'])(
    'leaves %j unchanged when it is removed again',
    (text) => {
      expect(removeMember(set(text), ['servers', 'errand'])).toBe(text);
    },
  );

  it('is removed from before another', () => {
    const text = '{\n  "servers": {\n    "errand": {},\n    "x": 1 // keep\n  }\n}';

    expect(removeMember(text, ['servers', 'errand'])).toBe('{\n  "servers": {\n    "x": 1 // keep\n  }\n}');
  });

  it('changes nothing where it does not exist', () => {
    for (const text of ['', '{}', '{"servers": {"x": 1}}']) {
      expect(removeMember(text, ['servers', 'errand'])).toBe(text);
    }
  });

  it.each(['{', '[]', '{"a" 1}', '{"servers": 1}', '{} x', '{"a": "\n"}', '{"a": tru}', '/* {}', `${'['.repeat(200)}`])(
    'is not added to %j',
    (text) => {
      expect(() => set(text)).toThrow(NotJson);
    },
  );
});

describe('an object in a list', () => {
  const add = (text: string): string => addElement(text, 'inputs', { id: 'mine' });

  it('is added once, beside the others, and removed again', () => {
    const text = '{\n  "inputs": [\n    {"id": "x"} // keep\n  ]\n}';
    const added = add(text);

    expect(added).toBe('{\n  "inputs": [\n    {"id":"mine"}, {"id": "x"} // keep\n  ]\n}');
    expect(add(added)).toBe(added);
    expect(JSON.parse(add('{"inputs": []}'))).toEqual({ inputs: [{ id: 'mine' }] });
    expect(JSON.parse(add('{"a": 1}'))).toEqual({ a: 1, inputs: [{ id: 'mine' }] });
    expect(JSON.parse(removeElement('{"inputs": [{"id":"x"}, {"id":"mine"}]}', 'inputs', 'mine'))).toEqual({
      inputs: [{ id: 'x' }],
    });
  });
});

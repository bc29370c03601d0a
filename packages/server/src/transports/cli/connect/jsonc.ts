/** JSON with comments and trailing commas, edited in place: the rest of the person's text stays unchanged. */

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
}

interface Node {
  readonly start: number;
  readonly end: number;
  /** Null for anything but an object. */
  readonly members: readonly Member[] | null;
  /** Null for anything but an array. */
  readonly elements: readonly Node[] | null;
}

/** Names the place where the text is no valid JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const MAX_DEPTH = 100;
const LITERAL = /(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const TRIVIA = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const LINE_END = /(?:[ \t]|\/\*[^\n]*?\*\/)*(?:\/\/[^\n\r]*)?/y;

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const skip = (text: string, at: number): number => at + (matchAt(TRIVIA, text, at)?.length ?? 0);

function fail(text: string, at: number): never {
  const lines = text.slice(0, at).split('\n');
  throw new NotJson(`line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`);
}

function stringAt(text: string, at: number): { readonly value: string; readonly end: number } {
  const found = matchAt(STRING, text, at) ?? fail(text, at);
  try {
    // Safe: the pattern matches strings only.
    return { value: JSON.parse(found) as string, end: at + found.length };
  } catch {
    return fail(text, at);
  }
}

/** Reads `[a, b,]` or `{"a": 1,}` from the bracket on. Returns the position of its end. */
function eachPart(text: string, start: number, close: string, part: (at: number) => number): number {
  for (let at = skip(text, start + 1); ; ) {
    if (text[at] === close) return at + 1;
    at = skip(text, part(at));
    if (text[at] === ',') at = skip(text, at + 1);
    else if (text[at] !== close) fail(text, at);
  }
}

function valueAt(text: string, start: number, depth: number): Node {
  if (depth > MAX_DEPTH) fail(text, start);
  if (text[start] === '[') {
    const elements: Node[] = [];
    const end = eachPart(text, start, ']', (at) => {
      const element = valueAt(text, at, depth + 1);
      elements.push(element);
      return element.end;
    });
    return { start, end, members: null, elements };
  }
  if (text[start] !== '{') {
    const isText = text[start] === '"';
    const end = isText
      ? stringAt(text, start).end
      : start + (matchAt(LITERAL, text, start) ?? fail(text, start)).length;
    return { start, end, members: null, elements: null };
  }
  const members: Member[] = [];
  const end = eachPart(text, start, '}', (at) => {
    const { value: key, end: colon } = stringAt(text, at);
    const after = skip(text, colon);
    if (text[after] !== ':') fail(text, after);
    const value = valueAt(text, skip(text, after + 1), depth + 1);
    members.push({ key, start: at, value });
    return value.end;
  });
  return { start, end, members, elements: null };
}

type ObjectNode = Node & { readonly members: readonly Member[] };

function mustBeObject(text: string, node: Node): ObjectNode {
  return node.members === null ? fail(text, node.start) : { ...node, members: node.members };
}

function rootOf(text: string): ObjectNode {
  const start = skip(text, text.startsWith('\uFEFF') ? 1 : 0);
  const root = mustBeObject(text, valueAt(text, start, 0));
  const rest = skip(text, root.end);
  return rest === text.length ? root : fail(text, rest);
}

// Of two members with one name the last counts, as for other JSON readers.
const memberOf = ({ members }: ObjectNode, key: string): Member | undefined =>
  members.findLast((member) => member.key === key);

const newline = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function indentAt(text: string, at: number): string | null {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*$/.test(before) ? before : null;
}

const unitOf = (text: string, { members: [first] }: ObjectNode): string =>
  (first === undefined ? null : indentAt(text, first.start)) || '  ';

function printed(
  text: string,
  value: unknown,
  { indent, unit }: { readonly indent: string; readonly unit: string },
): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline(text) + indent);
}

/** Adds a member at the end of an object, after the comment beside the last member. */
function withMember(text: string, object: ObjectNode, depth: number, [key, value]: readonly [string, unknown]): string {
  const unit = unitOf(text, rootOf(text));
  const last = object.members.at(-1);
  const indent = (last === undefined ? null : indentAt(text, last.start)) ?? unit.repeat(depth);
  const member = `${newline(text)}${indent}${JSON.stringify(key)}: ${printed(text, value, { indent, unit })}`;
  if (last === undefined) {
    const outer = unit.repeat(depth - 1);
    return `${text.slice(0, object.end - 1).trimEnd()}${member}${newline(text)}${outer}${text.slice(object.end - 1)}`;
  }
  const { end } = last.value;
  const comma = skip(text, end);
  const hasComma = text[comma] === ',';
  const from = hasComma ? comma + 1 : end;
  const at = from + (matchAt(LINE_END, text, from)?.length ?? 0);
  const isLineEnd = /^\r?\n/.test(text.slice(at, at + 2));
  const place = isLineEnd ? at : from;
  const rest =
    isLineEnd || hasComma
      ? text.slice(place)
      : `${newline(text)}${unit.repeat(depth - 1)}${text.slice(place).trimStart()}`;
  return `${text.slice(0, end)}${hasComma ? text.slice(end, from) : ','}${text.slice(from, place)}${member}${hasComma ? ',' : ''}${rest}`;
}

type MemberPath = readonly [section: string, name: string];

/** Sets `section.name` and leaves everything else unchanged. An empty text counts as an empty object. */
export function setMember(text: string, [section, name]: MemberPath, value: unknown): string {
  if (text.trim() === '') return `${JSON.stringify({ [section]: { [name]: value } }, null, 2)}\n`;
  const root = rootOf(text);
  const holder = memberOf(root, section);
  if (holder === undefined) return withMember(text, root, 1, [section, { [name]: value }]);
  const object = mustBeObject(text, holder.value);
  const known = memberOf(object, name);
  if (known === undefined) return withMember(text, object, 2, [name, value]);
  const unit = unitOf(text, root);
  const indent = indentAt(text, known.start) ?? unit.repeat(2);
  return text.slice(0, known.value.start) + printed(text, value, { indent, unit }) + text.slice(known.value.end);
}

/** Removes `section.name` with its comma. Returns the same text when it is not there. */
export function removeMember(text: string, [section, name]: MemberPath): string {
  if (text.trim() === '') return text;
  const holder = memberOf(rootOf(text), section);
  const object = holder === undefined ? null : mustBeObject(text, holder.value);
  const known = object === null ? undefined : memberOf(object, name);
  if (object === null || known === undefined) return text;

  const before = object.members[object.members.indexOf(known) - 1];
  return without(text, { start: known.start, end: known.value.end }, before?.value.end ?? null);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Removes a member or an element with its comma; for the last one, with the comma before it. */
function without(text: string, { start, end }: Range, before_end: number | null): string {
  const indent = indentAt(text, start);
  // Removes the whole line, with the line break before it.
  const head = indent === null ? text.slice(0, start) : text.slice(0, start - indent.length).replace(/\r?\n$/, '');
  const comma = skip(text, end);
  const hasComma = text[comma] === ',';
  if (hasComma || before_end === null) return head + text.slice(hasComma ? comma + 1 : end);
  const separator = skip(text, before_end);
  return head.slice(0, separator) + head.slice(separator + 1) + text.slice(end);
}

const isThat = (text: string, { start, end }: Range, id: string): boolean =>
  text.slice(start, end).includes(JSON.stringify(id));

function listOf(text: string, section: string): readonly Node[] | null {
  const holder = memberOf(rootOf(text), section);
  return holder === undefined ? null : (holder.value.elements ?? fail(text, holder.value.start));
}

/** Puts an object with this id first in a list, unless the list already has it. */
export function addElement(text: string, section: string, element: { readonly id: string }): string {
  const list = listOf(text, section);
  if (list === null) return withMember(text, rootOf(text), 1, [section, [element]]);
  if (list.some((node) => isThat(text, node, element.id))) return text;
  const [first] = list;
  const at = first?.start ?? (memberOf(rootOf(text), section)?.value.start ?? 0) + 1;
  return `${text.slice(0, at)}${JSON.stringify(element)}${first === undefined ? '' : ', '}${text.slice(at)}`;
}

/** Removes the object with this id from a list. Returns the same text when it is not there. */
export function removeElement(text: string, section: string, id: string): string {
  const list = text.trim() === '' ? null : listOf(text, section);
  const index = list?.findIndex((node) => isThat(text, node, id)) ?? -1;
  const node = list?.[index];
  return node === undefined ? text : without(text, node, list?.[index - 1]?.end ?? null);
}

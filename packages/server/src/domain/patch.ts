/** Splits a patch into one part per file. No line of a file's content can begin like the first line of a part. */
const partsOf = (patch: string): readonly string[] => patch.split(/^(?=diff --git )/m).filter((part) => part !== '');

/** The lines that name the file of a part. Git quotes names with unusual characters, and adds a tab after names with spaces. */
function linesAbout(path: string): ReadonlySet<string> {
  const named = (name: string): readonly string[] => [name, `${name}\t`, JSON.stringify(name)];
  const [a, b, bare] = [named(`a/${path}`), named(`b/${path}`), named(path)];
  return new Set([
    `diff --git a/${path} b/${path}`,
    ...a.map((name) => `--- ${name}`),
    ...b.map((name) => `+++ ${name}`),
    ...bare.flatMap((name) => [`rename from ${name}`, `rename to ${name}`]),
  ]);
}

function isAbout(part: string, lines: ReadonlySet<string>): boolean {
  const [head = ''] = part.split(/^(?:@@|GIT binary patch)/m, 1);
  return head.split('\n').some((line) => lines.has(line));
}

/** The part of a patch that changes one file; empty when the patch does not change it. */
export function patchOf(patch: string, path: string): string {
  const lines = linesAbout(path);
  return partsOf(patch)
    .filter((part) => isAbout(part, lines))
    .join('');
}

/** A part of a text from this offset on, and the offset of the next part; null at the end. No surrogate pair is split. */
export function textPart(
  text: string,
  offset: number,
  most: number,
): { readonly text: string; readonly next: number | null } {
  const part = text.slice(offset, offset + most);
  const whole = offset + most < text.length ? part.replace(/[\uD800-\uDBFF]$/, '') : part;
  const next = offset + whole.length;
  return { text: whole, next: next < text.length ? next : null };
}

const LINE = /^\s*("(?:\\.|[^"\\])*"|[^\s"#]\S*)\s+(.*)$/;
const MACRO = '[attr]';
const BUILT_IN = /^(?:[-!]?merge|merge=\S+|-?binary|conflict-marker-size=\d+)$/;

/** The lines of a `.gitattributes` file that choose between git's own ways to merge; nothing in them can name a program. */
export function mergeAttributes(text: string): string {
  const macros = new Set<string>();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, pattern = '', rest = ''] = LINE.exec(line) ?? [];
    const kept = rest.split(/\s+/).filter((word) => BUILT_IN.test(word) || macros.has(word));
    if (pattern === '' || kept.length === 0) continue;
    if (pattern.startsWith(MACRO)) macros.add(pattern.slice(MACRO.length));
    lines.push(`${pattern} ${kept.join(' ')}\n`);
  }
  return lines.join('');
}

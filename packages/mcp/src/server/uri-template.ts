const VARIABLE = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

export interface UriTemplate {
  /** The names of its variables. */
  readonly names: readonly string[];
  /** The variables of a URI; null for one that does not match. */
  readonly match: (uri: string) => Readonly<Record<string, string>> | null;
}

/** Reads `{name}`, which stands for one segment, and `{+name}`, which may hold slashes. */
export function parseTemplate(template: string): UriTemplate {
  const names: string[] = [];
  let pattern = '';
  let end = 0;
  for (const { 0: whole, 1: plus, 2: name = '', index } of template.matchAll(VARIABLE)) {
    pattern += `${template.slice(end, index).replace(SPECIAL, '\\$&')}(${plus === '+' ? '.+' : '[^/?#]+'})`;
    names.push(name);
    end = index + whole.length;
  }
  const matcher = new RegExp(`^${pattern}${template.slice(end).replace(SPECIAL, '\\$&')}$`, 's');

  return {
    names,
    match: (uri) => {
      const found = matcher.exec(uri);
      if (found === null) return null;
      try {
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]));
      } catch {
        // A percent sign that encodes nothing.
        return null;
      }
    },
  };
}

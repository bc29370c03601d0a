const VARIABLE = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

export interface UriTemplate {
  /** The names of its variables. */
  readonly names: readonly string[];
  /** Returns the variables of a URI; null when it does not match. */
  readonly match: (uri: string) => Readonly<Record<string, string>> | null;
}

/** Parses a template: `{name}` is one segment, `{+name}` may contain slashes. */
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
        // The URI has an invalid percent escape.
        return null;
      }
    },
  };
}

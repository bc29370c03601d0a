/**
 * Puts untrusted text between two marker lines that the text does not contain, so that it cannot fake its own end. `mark` makes a
 * random word, and is called again while the text contains that word.
 */
export function fenced(name: string, text: string, mark: () => string): string {
  let word = mark();
  while (text.includes(word)) word = mark();
  return `<${name} ${word}>\n${text}\n</${name} ${word}>`;
}

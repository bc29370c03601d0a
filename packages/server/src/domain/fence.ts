/**
 * A text of strangers between two lines that it cannot hold: whatever it says, a reader sees where it ends. `mark` makes a
 * random word; another is taken while the text has it.
 */
export function fenced(name: string, text: string, mark: () => string): string {
  let word = mark();
  while (text.includes(word)) word = mark();
  return `<${name} ${word}>\n${text}\n</${name} ${word}>`;
}

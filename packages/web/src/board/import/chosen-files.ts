/** A file or a pasted text, as the server reads it. */
export interface ImportText {
  /** Its name; empty for a pasted text. */
  readonly path: string;
  readonly text: string;
}

/** What the server reads of one import; larger files are not sent. */
const MAX_CHARACTERS = 2_000_000;
const MAX_FILES = 1_000;

/** The texts of chosen files, or why they cannot be read. */
export async function textsOf(files: readonly File[]): Promise<readonly ImportText[] | string> {
  if (files.length > MAX_FILES) return `These are ${files.length} files: choose at most ${MAX_FILES}.`;
  const large = files.find(({ size }) => size > 4 * MAX_CHARACTERS);
  if (large !== undefined) return `${large.name} is too large: split it.`;
  const texts: ImportText[] = [];
  for (const file of files) {
    try {
      texts.push({ path: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) });
    } catch {
      return `${file.name} is not text in UTF-8.`;
    }
  }
  const size = texts.reduce((sum, { text }) => sum + text.length, 0);
  return size > MAX_CHARACTERS ? `This is too much for one import: ${size} of ${MAX_CHARACTERS} characters.` : texts;
}

const MAX_NAME = 60;

/** A folder name of letters that every file system and program accepts. */
export function folderName(repo_name: string, index: number): string {
  const plain = repo_name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, MAX_NAME);
  const name = plain === '' ? 'repo' : plain;
  // No other name contains a plus, so two repositories never share a folder.
  return index === 0 ? name : `${name}+${index + 1}`;
}

/** How many earlier repositories want the same folder. Letter case is ignored, because some file systems ignore it. */
export function folderIndexes(repo_names: readonly string[]): readonly number[] {
  const names = repo_names.map((name) => folderName(name, 0).toLowerCase());
  return names.map((name, at) => names.slice(0, at).filter((other) => other === name).length);
}

/** The folder of each repository below that of the attempt, in the order of the names. */
export function folderNames(repo_names: readonly string[]): readonly string[] {
  const indexes = folderIndexes(repo_names);
  return repo_names.map((name, at) => folderName(name, indexes[at] ?? 0));
}

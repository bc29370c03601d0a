import type { ChangedFile } from '../../api/attempts.ts';

/** A line of the tree: a folder, or a file in it. */
export type TreeRow =
  | { readonly kind: 'folder'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string; readonly depth: number; readonly file: ChangedFile };

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Changed files by folder, in the order of their paths; those at the root come first. */
export function treeRows(files: readonly ChangedFile[]): readonly TreeRow[] {
  const folders = Map.groupBy(files, ({ path }) => folderOf(path));
  return [...folders]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([folder, inside]): TreeRow[] => [
      ...(folder === '' ? [] : [{ kind: 'folder' as const, name: folder }]),
      ...inside
        .toSorted((one, other) => one.path.localeCompare(other.path))
        .map((file) => ({
          kind: 'file' as const,
          name: file.path.slice(folder === '' ? 0 : folder.length + 1),
          depth: folder === '' ? 0 : 1,
          file,
        })),
    ]);
}

/** The files in the order of the tree. */
export const inTreeOrder = (files: readonly ChangedFile[]): readonly ChangedFile[] =>
  treeRows(files).flatMap((row) => (row.kind === 'file' ? [row.file] : []));

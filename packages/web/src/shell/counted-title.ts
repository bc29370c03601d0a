/** The title with how much needs a person: (7) Inbox · Errand. */
export function counted(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '');
  return count === 0 ? bare : `(${count}) ${bare}`;
}

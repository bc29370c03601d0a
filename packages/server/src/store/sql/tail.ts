/** The last twelve digits of an id, which are random: an index of them finds it, and is a third as long. */
export const tailOf = (id: string): string => `(substr(${id}, 25))`;

/** The condition that a column has an id, by an index of its tail. Ids that are no UUIDs have an empty one. */
export const byTail = (column: string, id: string): string => `${tailOf(column)} = ${tailOf(id)} and ${column} = ${id}`;

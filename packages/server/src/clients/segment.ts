/** Whether an id can be one segment of a path: another id would name another path, or none. */
export const isSegment = (id: string): boolean => id.isWellFormed() && !/^\.{0,2}$/.test(id);

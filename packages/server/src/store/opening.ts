/** What opening may do to a database. */
export interface Opening {
  /** Create it if there is none. */
  readonly create: boolean;
  /** Migrate an older schema. */
  readonly upgrade: boolean;
  /** Check the file for damage first. */
  readonly verify: boolean;
}

/** The migrations that opening applied. */
export interface SchemaChange {
  readonly is_new: boolean;
  /** The applied migrations, in order. */
  readonly applied: readonly string[];
}

/** For a process that owns the database: `errand serve`, `errand migrate`. */
export const AS_OWNER: Opening = { create: true, upgrade: true, verify: true };

/** For a command that adds something. An older server may use the same database, so it leaves the schema alone. */
export const TO_WRITE: Opening = { create: true, upgrade: false, verify: false };

/** For a command that reads or changes existing data. */
export const TO_READ: Opening = { create: false, upgrade: false, verify: false };

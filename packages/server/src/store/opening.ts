/** What may be done to a database on the way to opening it. */
export interface Opening {
  /** Make one where there is none. */
  readonly create: boolean;
  /** Bring an older schema up to date. */
  readonly upgrade: boolean;
  /** Look for damage before anything relies on it. */
  readonly verify: boolean;
}

/** What opening did to the schema. */
export interface SchemaChange {
  readonly is_new: boolean;
  /** The steps that were applied, in order. */
  readonly applied: readonly string[];
}

/** For a process that owns the database: `errand serve`, `errand migrate`. */
export const AS_OWNER: Opening = { create: true, upgrade: true, verify: true };

/** For a command that changes something. An older server may use the same database, so it leaves the schema alone. */
export const TO_WRITE: Opening = { create: true, upgrade: false, verify: false };

/** For a command that only looks. */
export const TO_READ: Opening = { create: false, upgrade: false, verify: false };

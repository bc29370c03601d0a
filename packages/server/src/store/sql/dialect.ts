export type Dialect = 'sqlite' | 'postgres';

/** What the two databases spell differently. */
export interface Words {
  readonly dialect: Dialect;
  /** The parameter `name`, a list of texts as JSON, as the table `as` with the column `value`. */
  readonly tableOf: (name: string, as: string) => string;
  /** The parameter `name`, a list of texts as JSON, for `in`. */
  readonly listed: (name: string) => string;
  /** A parameter that may be null, where the server cannot guess its type from the text. */
  readonly json: (name: string) => string;
  readonly bigint: (name: string) => string;
  readonly text: (name: string) => string;
  /** A parameter with a UUID, and one with a hexadecimal digest, as they are stored: as bytes. */
  readonly uuid: (name: string) => string;
  readonly digest: (name: string) => string;
  /** A column of UUIDs, and one of digests, as text. */
  readonly uuidText: (column: string) => string;
  readonly digestText: (column: string) => string;
  /**
   * The server's own time, which several machines share; of a file the parameter `now`, the time of the machine. It is
   * the same throughout a statement: with one that goes on, no index could be used.
   */
  readonly server_time: string;
}

/** Where the parts of a UUID begin among its digits, and how long they are. */
const UUID_PARTS = [
  [1, 8],
  [9, 4],
  [13, 4],
  [17, 4],
  [21, 12],
] as const;

export const WORDS: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    dialect: 'sqlite',
    tableOf: (name, as) => `json_each(:${name}) as ${as}`,
    listed: (name) => `(select value from json_each(:${name}))`,
    json: (name) => `:${name}`,
    bigint: (name) => `:${name}`,
    text: (name) => `:${name}`,
    uuid: (name) => `unhex(:${name}, '-')`,
    digest: (name) => `unhex(:${name})`,
    uuidText: (column) =>
      `case when ${column} is null then null else lower(${UUID_PARTS.map(([at, size]) => `substr(hex(${column}), ${at}, ${size})`).join(" || '-' || ")}) end`,
    digestText: (column) => `case when ${column} is null then null else lower(hex(${column})) end`,
    server_time: ':now',
  },
  postgres: {
    dialect: 'postgres',
    tableOf: (name, as) => `json_array_elements_text(:${name}::json) as ${as} (value)`,
    listed: (name) => `(select json_array_elements_text(:${name}::json))`,
    json: (name) => `:${name}::json`,
    bigint: (name) => `:${name}::bigint`,
    text: (name) => `:${name}::text`,
    uuid: (name) => `:${name}::uuid`,
    digest: (name) => `decode(:${name}, 'hex')`,
    uuidText: (column) => `${column}::text collate "C"`,
    digestText: (column) => `encode(${column}, 'hex') collate "C"`,
    server_time: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
  },
};

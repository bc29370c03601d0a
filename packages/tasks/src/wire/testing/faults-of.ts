import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const SCHEMAS = new URL('../../../schema/', import.meta.url);

const FILES = {
  '2025-11-25': new URL('mcp-2025-11-25.schema.json', SCHEMAS),
  '2026-07-28': new URL('mcp-2026-07-28.schema.json', SCHEMAS),
  extension: new URL('ext-tasks-2026-07-28.schema.json', SCHEMAS),
} as const;

interface Definition {
  readonly enum: readonly string[];
}

const read = (name: keyof typeof FILES): { readonly $defs: Readonly<Record<string, Definition | undefined>> } =>
  // The files are JSON Schema, with their definitions at this place.
  JSON.parse(readFileSync(FILES[name], 'utf8'));

/** Returns a definition of the specification. */
export function definitionOf(name: keyof typeof FILES, definition: string): Definition {
  const found = read(name).$defs[definition];
  if (found === undefined) throw new Error(`The schema has no ${definition}.`);
  return found;
}

const compiled = new Map<string, Ajv2020>();

function schemaOf(name: keyof typeof FILES): Ajv2020 {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ ...read(name), $id: 'mcp' });
  compiled.set(name, ajv);
  return ajv;
}

/** Returns the schema errors of a message in its wire form; empty when it is valid. */
export function faultsOf(name: keyof typeof FILES, definition: string, message: object): readonly unknown[] {
  const validate = schemaOf(name).getSchema(`mcp#/$defs/${definition}`);
  if (validate === undefined) throw new Error(`The schema has no ${definition}.`);
  return validate(JSON.parse(JSON.stringify(message))) ? [] : (validate.errors ?? ['invalid']);
}

import type { Naming } from '#advice';
import { catalog, type Tool } from '#tools/catalog';
import { typedAs, wordsOf } from './tool-command.ts';

/** The command line's names for a tool and its fields. */
export interface Spelling {
  readonly command: (name: string) => string;
  readonly field: (name: string, value?: string) => string;
  readonly about?: (name: string) => string;
}

/** Returns the words that a person types for a tool, after `errand`. */
export function commandOf(name: string): string {
  const tool = catalog.find(({ full_name }) => full_name === name);
  if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
  return wordsOf(tool).join(' ');
}

/** The name of a field as the tool's command takes it: `--project`, or `NAME` for a positional argument. */
const fieldOf = (tool: Tool, name: string): string =>
  Object.hasOwn(tool.input.shape, name) ? typedAs(tool, name) : name;

export const spellingOf = (tool: Tool): Spelling => ({
  command: commandOf,
  field: (name, value) => (value === undefined ? fieldOf(tool, name) : `${fieldOf(tool, name)} ${value}`),
});

/** Names tools and fields as commands and flags. */
export const cliNaming = ({ command, field, about = field }: Spelling, canCall: Naming['canCall']): Naming => ({
  verb: 'run',
  tool: (name) => `errand ${command(name)}`,
  canCall,
  field,
  // For a list, names the flag without the index.
  about: (path) => about(path.split('.', 1)[0] ?? path),
});

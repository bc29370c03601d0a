import type { Naming } from '#advice';
import { catalog, type Tool } from '#tools/catalog';
import { typedAs, wordsOf } from './tool-command.ts';

/** How the command line knows a tool and its fields. */
export interface Spelling {
  readonly command: (name: string) => string;
  readonly field: (name: string, value?: string) => string;
  readonly about?: (name: string) => string;
}

/** The words that a person types for a tool, after `errand`. */
export function commandOf(name: string): string {
  const tool = catalog.find(({ full_name }) => full_name === name);
  if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
  return wordsOf(tool).join(' ');
}

/** As the command of one tool takes it: `--project`, or `NAME` where its place says which it is. */
const fieldOf = (tool: Tool, name: string): string =>
  Object.hasOwn(tool.input.shape, name) ? typedAs(tool, name) : name;

export const spellingOf = (tool: Tool): Spelling => ({
  command: commandOf,
  field: (name, value) => (value === undefined ? fieldOf(tool, name) : `${fieldOf(tool, name)} ${value}`),
});

/** People type commands and flags, not tools and fields. */
export const cliNaming = ({ command, field, about = field }: Spelling, canCall: Naming['canCall']): Naming => ({
  verb: 'run',
  tool: (name) => `errand ${command(name)}`,
  canCall,
  field,
  // Of a list the flag is named, not the place in it.
  about: (path) => about(path.split('.', 1)[0] ?? path),
});

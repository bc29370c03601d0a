import type { WireError } from '#gateway/gateway';
import { catalog, type Tool } from '#tools/catalog';
import { typedAs, wordsOf } from './tool-command.ts';

/** Tools and fields as a person types them. What stands in quotes is the caller's own and stays. */
function spelled(tool: Tool, text: string): string {
  const neighbours = catalog.filter(({ profile }) => profile === tool.profile);
  // A name that two profiles have means the tool of the profile whose words these are.
  const commands = new Map([
    ...catalog.map((other) => [other.full_name, other] as const),
    ...neighbours.map((other) => [other.name, other] as const),
  ]);
  // A field of one word, such as name, may just be a word.
  const fields = Object.keys(tool.input.shape).filter((name) => name.includes('_'));
  const names = [...commands.keys(), ...fields].join('|');
  return text.replaceAll(
    new RegExp(`(?<!["\\w-])(Call )?(${names})(?!["\\w])`, 'g'),
    (_, call: string | undefined, name: string) => {
      const other = commands.get(name);
      if (other === undefined) return `${call ?? ''}${typedAs(tool, name)}`;
      return `${call === undefined ? '' : 'Run '}errand ${wordsOf(other).join(' ')}`;
    },
  );
}

function messageOf(tool: Tool, { message, details }: WireError): string {
  const { fields } = details ?? {};
  if (!Array.isArray(fields)) {
    const [name = ''] = message.split(':', 1);
    return Object.hasOwn(tool.input.shape, name) ? `${typedAs(tool, name)}${message.slice(name.length)}` : message;
  }
  // Every error about fields names them like this: see the gateway's validation.
  const problems = fields as readonly { readonly field: string; readonly problem: string }[];
  const words = problems.map(({ field, problem }) => {
    const [name = ''] = field.split('.');
    return name === '' ? problem : `${typedAs(tool, name)} ${problem}`;
  });
  return `${words.join('; ')}.`;
}

/** The same error in words of the command line: people typed commands and flags, not tools and fields. */
export function asTyped(tool: Tool, error: WireError): WireError {
  const { hint } = error;
  return {
    ...error,
    message: spelled(tool, messageOf(tool, error)),
    ...(hint !== undefined && { hint: spelled(tool, hint) }),
  };
}

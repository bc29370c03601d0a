import { textOf } from '../../packages/server/src/advice.ts';
import type { Tool } from '../../packages/server/src/tools/catalog.ts';
import { PROFILES, type ProfileName } from '../../packages/server/src/tools/profiles.ts';
import { type JsonSchema, outputSchema } from '../../packages/server/src/tools/schema.ts';
import { flagOf, wordsOf } from '../../packages/server/src/transports/cli/tool-command.ts';
import { fieldsOf } from '../../packages/server/src/transports/fields.ts';
import { code, page, table } from './markdown.ts';

function typeOf({ type, enum: values, const: only, anyOf, items }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (values !== undefined) return values.map((value) => code(JSON.stringify(value))).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  // The cast: the items of a list are a schema.
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonSchema)}`;
  return [type ?? 'any'].flat().join(' or ');
}

/** The mark of optional and required fields in each table. */
const ANSWERS = { required: '', optional: 'optional' } as const;
const TAKES = { required: 'required', optional: '' } as const;
type Remarks = typeof ANSWERS | typeof TAKES;

/** Returns the fields of an object. Fields of list rows are prefixed with the list's name. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, remarks: Remarks, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const remark = remarks[required.includes(name) ? 'required' : 'optional'];
    return [[code(path), typeOf(schema), remark, schema.description ?? ''], ...itemRows(schema, remarks, path)];
  });
}

function itemRows(schema: JsonSchema, remarks: Remarks, path: string): string[][] {
  const { items } = schema as { readonly items?: JsonSchema };
  return items?.properties === undefined ? [] : rowsOf(items, remarks, `${path}[].`);
}

function commandOf(tool: Tool): string {
  const positionals = (tool.cli?.positionals ?? []).map((name) => name.toUpperCase());
  const required = fieldsOf(tool).filter(
    ({ name, required }) => required && !tool.cli?.positionals?.includes(name) && name !== tool.subject,
  );
  return ['errand', ...wordsOf(tool), ...positionals, ...required.map(({ name }) => `--${flagOf(tool, name)} …`)].join(
    ' ',
  );
}

function toolSection(tool: Tool): string {
  const names =
    tool.mcp && PROFILES[tool.profile].mcp
      ? `${code(tool.name)} at /mcp/${tool.profile}, ${code(tool.full_name)} at /mcp`
      : 'not offered to agents';
  const fields = fieldsOf(tool);
  return page(
    `### ${tool.name}`,
    tool.description,
    table(
      ['', ''],
      [
        ['MCP', names],
        ['REST', code(tool.route.replace(' /', ' /api/v1/'))],
        ['Command', code(commandOf(tool))],
        ['Scope', tool.scopes.map(code).join(' and ')],
        [
          'Effect',
          `${tool.effect}${tool.idempotent && tool.effect !== 'read' ? ', the same however often it is repeated' : ''}`,
        ],
      ],
    ),
    fields.length === 0
      ? 'Takes nothing.'
      : table(
          ['takes', 'type', '', 'what it is'],
          fields.flatMap(({ name, schema, required, description }) => [
            [code(name), typeOf(schema), required ? 'required' : '', description],
            ...itemRows(schema, TAKES, name),
          ]),
        ),
    table(['answers', 'type', '', 'what it is'], rowsOf(outputSchema(tool), ANSWERS)),
  ).trimEnd();
}

function profileSection(profile: ProfileName, tools: readonly Tool[]): string {
  const { title, instructions } = PROFILES[profile];
  const words = instructions.map((words) => textOf(words)).join(' ');
  const sentence = words === '' ? '' : `A client that connects gets these instructions: “${words}”`;
  return page(`## ${title} (${profile})`, sentence, ...tools.map(toolSection)).trimEnd();
}

export function toolsPage(tools: readonly Tool[]): string {
  const profiles = Map.groupBy(tools, ({ profile }) => profile);
  return page(
    '# Tools',
    'Each tool is the same call over MCP, over REST and on the command line: the same arguments, rights and answers. `POST /api/v1/tools/{full name}` takes the arguments of any tool as its body.',
    ...[...profiles].map(([profile, own]) => profileSection(profile, own)),
  );
}

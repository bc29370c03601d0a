import type { Tool } from '../../packages/server/src/tools/catalog.ts';

/** Generates a type of the tool names that hints may mention: services and domain cannot import the catalogue. */
export const toolNames = (tools: readonly Tool[]): string => `// Generated from the catalogue by npm run generate.

/** The full name of a tool. */
export type ToolName =
${tools
  .map(({ full_name }) => `  | '${full_name}'`)
  .toSorted()
  .join('\n')};
`;

/** The minimum instruction, word for word as the MCP Tools Contract has it. */
export const MINIMUM_INSTRUCTION = [
  'Before creating or updating Tasker cards, call tasker_get_agent_instructions.',
  'Use Tasker for durable project planning, current architecture, planned architecture, stage checkers, implementation notes, and validation results.',
  'Do not create multiple top-level cards for substeps of one product topic.',
  'Do not delete or archive cards.',
  'Do not operate outside granted projects.',
];

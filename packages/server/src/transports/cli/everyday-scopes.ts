/** The scopes of an agent that a person connects: the person's todo list, the board, and reports of runs. */
export const EVERYDAY_SCOPES = ['todo:read', 'todo:write', 'board:read', 'board:write', 'execution:report'] as const;

/** What the agent's grants allow in addition: it may complete tasks for the person. Only people cancel. */
export const EVERYDAY_MOVES = { can_complete: true, can_cancel: false } as const;

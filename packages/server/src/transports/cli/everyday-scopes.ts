/** The scopes of an agent that a person connects: the person's todo list, the board, and reports of runs. */
export const EVERYDAY_SCOPES = ['todo:read', 'todo:write', 'board:read', 'board:write', 'execution:report'] as const;

/** What its grants allow besides: it finishes work for the person who connected it. Cancelling stays with people. */
export const EVERYDAY_MOVES = { can_complete: true, can_cancel: false } as const;

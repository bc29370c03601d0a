/** What an agent gets that was connected without another word: its owner's todo list, the board, and reports of its runs. */
export const EVERYDAY_SCOPES = ['todo:read', 'todo:write', 'board:read', 'board:write', 'execution:report'] as const;

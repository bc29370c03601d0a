import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';

export const AGENTS: readonly Agent[] = [codex, claudeCode, geminiCli, opencode];

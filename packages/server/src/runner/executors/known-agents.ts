import { claude } from './known/claude.ts';
import { codex } from './known/codex.ts';
import type { KnownAgent } from './known/known-agent.ts';

const gemini: KnownAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  kind: 'acp',
  argv: ['gemini', '--acp'],
  package_name: '@google/gemini-cli',
  login: 'run gemini and sign in, or set GEMINI_API_KEY',
  credentials: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    files: [{ path: '.gemini/oauth_creds.json' }, { path: '.gemini/settings.json', holds: /"selectedType"/ }],
  },
  passes: [
    ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA', 'GEMINI_MODEL'],
    ...['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
    'GOOGLE_GEMINI_BASE_URL',
  ],
  // In a folder that no person has trusted, such as that of an attempt, it ignores the MCP server that it is given.
  env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  variants: {
    plan: { args: ['--approval-mode', 'plan'] },
    'auto-edit': { args: ['--approval-mode', 'auto_edit'] },
    yolo: { args: ['--approval-mode', 'yolo'] },
  },
  conversation: null,
};

const opencode: KnownAgent = {
  name: 'opencode',
  title: 'opencode',
  kind: 'acp',
  argv: ['opencode', 'acp'],
  package_name: 'opencode-ai',
  login: 'run opencode auth login',
  // Some of its models need no log-in.
  credentials: null,
  passes: [
    ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_API_KEY', 'OPENCODE_DISABLE_MODELS_FETCH'],
    ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  ],
  variants: { plan: { mode: 'plan' } },
  conversation: null,
};

const qwen: KnownAgent = {
  name: 'qwen',
  title: 'Qwen Code',
  kind: 'acp',
  argv: ['qwen', '--acp'],
  package_name: '@qwen-code/qwen-code',
  login: 'run qwen and sign in, or set OPENAI_API_KEY',
  credentials: {
    variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY'],
    files: [{ path: '.qwen/oauth_creds.json' }, { path: '.qwen/settings.json', holds: /"selectedType"/ }],
  },
  passes: [
    ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY'],
    ...['ANTHROPIC_API_KEY', 'GEMINI_API_KEY'],
  ],
  variants: {
    plan: { args: ['--approval-mode', 'plan'] },
    'auto-edit': { args: ['--approval-mode', 'auto-edit'] },
    yolo: { args: ['--approval-mode', 'yolo'] },
  },
  conversation: null,
};

const copilot: KnownAgent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  kind: 'acp',
  argv: ['copilot', '--acp'],
  package_name: '@github/copilot',
  login: 'run copilot and use /login, or set COPILOT_GITHUB_TOKEN',
  // Only the agent itself can read its log-in.
  credentials: null,
  passes: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
  variants: { yolo: { args: ['--allow-all-tools'] } },
  // In a chunk of its own, which is the last.
  failure_pattern: /^Error: (.+)/s,
  conversation: null,
};

/** The coding agents that are offered without configuration. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [claude, codex, gemini, opencode, qwen, copilot];

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claudeCode } from '../claude-code.ts';
import { codex } from '../codex.ts';
import { geminiCli } from '../gemini-cli.ts';
import { opencode } from '../opencode.ts';
import type { BoardAgent } from './agent.ts';

const MINUTE_MS = 60_000;

const claudeAgent: BoardAgent = {
  title: claudeCode.title,
  version: claudeCode.version,
  executor: 'claude',
  files: () => ({}),
  env: ({ model }) => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_MODEL: 'claude-sonnet-4-5',
  }),
  write: (folder, name, text) => ({ tool: 'Write', arguments: { file_path: join(folder, name), content: text } }),
};

const codexAgent: BoardAgent = {
  title: codex.title,
  version: codex.version,
  executor: 'codex',
  files: ({ model }) => ({
    '.codex/config.toml': [
      'model = "scripted"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      // Disabled: both read catalogues from the network at every start.
      '[features]',
      'apps = false',
      'plugins = false',
      '[model_providers.scripted]',
      'name = "Scripted"',
      `base_url = ${JSON.stringify(`${model}/v1`)}`,
      'wire_api = "responses"',
      'env_key = "OPENAI_API_KEY"',
      '',
    ].join('\n'),
  }),
  env: () => ({ OPENAI_API_KEY: 'none' }),
  write: (_folder, name, text) => ({ tool: 'exec_command', arguments: { cmd: `printf '%s' '${text}' > ${name}` } }),
};

const geminiAgent: BoardAgent = {
  title: geminiCli.title,
  version: geminiCli.version,
  executor: 'gemini',
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    }),
  }),
  env: ({ model }) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none', GEMINI_MODEL: 'gemini-2.5-pro' }),
  write: (folder, name, text) => ({ tool: 'write_file', arguments: { file_path: join(folder, name), content: text } }),
  // It loses a session that is loaded in the minute of its start: both write to a file named after the minute.
  settled: () => pause(MINUTE_MS - (Date.now() % MINUTE_MS) + 1_000),
};

/** An agent that asks before it runs a command. It is configured: by default it looks for packages on the network. */
export const opencodeAgent: BoardAgent = {
  title: opencode.title,
  version: opencode.version,
  executor: 'opencode',
  files: ({ model }) => ({
    'opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      permission: { bash: 'ask' },
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${model}/v1`, apiKey: 'none' },
          models: { scripted: { name: 'Scripted', tool_call: true } },
        },
      },
    }),
  }),
  configured: ({ home }) => ({
    kind: 'acp',
    command: ['opencode', 'acp'],
    env: {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_MODELS_FETCH: 'true',
      // Without this it installs a package for plugins at every start, though it has no plugins.
      npm_config_offline: 'true',
    },
  }),
  env: () => ({}),
  write: (folder, name, text) => ({ tool: 'write', arguments: { filePath: join(folder, name), content: text } }),
};

/** The agents that are found on the PATH. */
export const FOUND_AGENTS: readonly BoardAgent[] = [codexAgent, claudeAgent, geminiAgent];

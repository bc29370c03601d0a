import type { McpHost } from '@errand/mcp';
import { FULL_NAMES, followed } from '#advice';
import { worded } from '#gateway/outcome';
import { type ReportCall, report } from '#gateway/report';
import { catalog } from '#tools/catalog';
import { answerText, failureBody } from '#tools/envelope';
import { PROFILES } from '#tools/profiles';
import type { ClientFacts } from '#transports/rest/client-facts';
import { shapeOf } from './catalog-host.ts';
import { isForAgents } from './catalog-wording.ts';
import { clientFactsOf, type Surroundings } from './client-facts.ts';

export interface ReporterHostOptions {
  /** Returns the Task Managers for the reports of a client with these facts. */
  readonly managersFor: (client_facts: ClientFacts | undefined) => ReportCall['managerFor'];
  readonly surroundings?: Surroundings;
  readonly version: string;
  readonly observe: ReportCall['observe'];
  readonly randomId: ReportCall['randomId'];
}

/** The tools of a reporter as an MCP server. All reports go to a Task Manager; nothing is stored. */
export function createReporterHost({
  managersFor,
  surroundings,
  version,
  observe,
  randomId,
}: ReporterHostOptions): McpHost<null> {
  const tools = catalog.filter((tool) => tool.profile === 'executions' && tool.report !== null && isForAgents(tool));
  const shapes = tools.map((tool) => shapeOf(tool, 'executions'));

  return {
    server_info: { name: 'errand', title: 'Errand', version },
    instructions: () => followed(PROFILES.executions.instructions, FULL_NAMES).join(' '),
    tools: {
      list: () => shapes,
      call: (name, input, call) => {
        const tool = tools.find((candidate) => candidate.name === name);
        if (tool === undefined) return undefined;
        return report({
          tool,
          input,
          managerFor: managersFor(clientFactsOf(call, surroundings)),
          observe,
          randomId,
        }).then((outcome) => ({
          kind: 'json',
          json: outcome.ok
            ? answerText(tool, outcome.json)
            : JSON.stringify(failureBody(tool, worded(outcome.error), outcome.status)),
          failed: !outcome.ok,
        }));
      },
    },
  };
}

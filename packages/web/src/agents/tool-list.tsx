import type { Setup } from 'errand/client';

interface ToolListProps {
  readonly name: string;
  readonly tools: Setup['tools'];
  /** How many rights it has: without any it sees nothing. */
  readonly scopes: number;
}

/** The tools that an agent will see, as its client lists them, and how many. Without a right it sees none. */
export function ToolList({ name, tools, scopes }: ToolListProps) {
  const listed = scopes === 0 ? [] : tools;
  const reports = listed.some(({ name: tool }) => tool.endsWith('create_step'));
  return (
    <>
      <h3>
        What {name} will see <span className="num">{listed.length === 1 ? '1 tool' : `${listed.length} tools`}</span>
      </h3>
      <ul className="toollist">
        {listed.map((tool) => (
          <li key={tool.name} title={tool.description}>
            <span className="mono">{tool.name}</span>
            <span>{tool.title}</span>
          </li>
        ))}
      </ul>
      {reports ? (
        <p className="hint">
          Tools with “step” in their name report on a run. A run begins with an attempt, or with{' '}
          <code>POST /api/executions</code>.
        </p>
      ) : null}
      <p className="hint">Only in the projects that you choose. Delete is never granted.</p>
    </>
  );
}

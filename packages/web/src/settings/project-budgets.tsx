import type { ProjectSettings } from '../api/project-settings.ts';
import { count } from '../text/words.ts';
import { Section } from './section.tsx';

type Budget = ProjectSettings['budgets'][number];

const amountOf = ({ of, most }: Budget): string => (of === 'cost_usd' ? `$${most.toFixed(2)}` : `${count(most)} ${of}`);

interface ProjectBudgetsProps {
  readonly project: ProjectSettings;
}

/** What runs of the project may spend, only to read: the operator decides it in config.json, under budgets. */
export function ProjectBudgets({ project: { budgets } }: ProjectBudgetsProps) {
  return (
    <Section title="Budgets" about="The operator sets them in config.json, under budgets.">
      {budgets.length === 0 ? (
        <p className="quiet">No limit is set for runs of this project.</p>
      ) : (
        <ul className="set-budgets">
          {budgets.map((budget) => (
            <li key={`${budget.limited}/${budget.of}`}>
              <b className="num">{amountOf(budget)}</b> <span className="quiet">{budget.limited}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CostsBy, costsQuery } from '../api/settings.ts';
import { day } from '../text/time.ts';
import { count } from '../text/words.ts';
import { Choice } from '../ui/choice.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { Loaded, Section } from './section.tsx';

const BY: readonly { readonly value: CostsBy; readonly label: string }[] = [
  { value: 'project', label: 'Project' },
  { value: 'agent', label: 'Agent' },
  { value: 'task', label: 'Task' },
  { value: 'day', label: 'Day' },
];

const dayOf = (date: string): string => {
  const word = day(`${date}T00:00`, pageClock.now());
  return /^(?:To|Yester)day$/.test(word) ? word.toLowerCase() : word;
};
const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/**
 * The table of what agents have spent, as they report it (runs, minutes, tokens, dollars, and the sum): by project at
 * first, agent, task or day.
 */
export function CostsSection() {
  const [by, setBy] = useState<CostsBy>('project');
  const query = useQuery(costsQuery(by));
  return (
    <Section title="Costs" about="What agents report of their runs.">
      <Choice label="Costs by" value={by} options={BY} onChange={setBy} />
      <Loaded query={query} what="The costs">
        {({ from, to, rows, total }) =>
          rows.length === 0 ? (
            <p className="quiet">
              No run from {dayOf(from)} to {dayOf(to)}.
            </p>
          ) : (
            <Table
              label={`Costs from ${from} to ${to}`}
              className="settings costs"
              columns={[
                { id: 'name', label: `${dayOf(from)} to ${dayOf(to)}` },
                { id: 'runs', label: 'Runs', width: 80, right: true },
                { id: 'minutes', label: 'Minutes', width: 96, right: true },
                { id: 'tokens', label: 'Tokens', width: 120, right: true },
                { id: 'cost', label: 'Cost', width: 100, right: true },
              ]}
            >
              {[...rows, { subject: 'total', name: 'All', key: null, ...total }].map((row) => (
                <TableRow key={row.subject}>
                  <td>{[row.key, row.name ?? row.subject].filter(Boolean).join(' · ')}</td>
                  <td className="r num">{count(row.runs)}</td>
                  <td className="r num">{count(row.minutes)}</td>
                  <td className="r num">{count(row.tokens)}</td>
                  <td className="r num">{dollars(row.cost_usd)}</td>
                </TableRow>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  );
}

import type { ReadImportAnswer } from 'errand/client';
import { count, PRIORITY_WORDS, plural } from '../../text/words.ts';
import { Icon } from '../../ui/icon.tsx';
import { PriorityIcon } from '../../ui/priority-icon.tsx';
import { Table, TableRow } from '../../ui/table.tsx';

type Note = ReadImportAnswer['faults'][number];

/** Rows that are drawn: a person looks whether the first ones are right, and the count is exact. */
const MAX_ROWS = 200;

const COLUMNS = [
  { id: 'title', label: 'Title' },
  { id: 'column', label: 'Column', width: 132 },
  { id: 'priority', label: 'Priority', width: 108 },
  { id: 'below', label: 'Below', width: 120 },
] as const;

function Notes({ notes }: { readonly notes: readonly Note[] }) {
  return (
    <ul className="import-notes">
      {notes.map(({ file, line, text }) => (
        <li key={`${file}:${line}:${text}`}>
          {file === '' && line === null ? null : (
            <span className="key">{[file, line === null ? '' : `line ${line}`].filter(Boolean).join(', ')}</span>
          )}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** What an import will do: the tasks in a table, and what is left out; or why it cannot be done. */
export function ImportPlan({ plan }: { readonly plan: ReadImportAnswer }) {
  const { tasks, faults, left_out, formats, imported_at } = plan;
  if (faults.length > 0) {
    return (
      <div className="import-faults" role="alert">
        <h3>
          <Icon name="alert" />
          Nothing can be imported yet
        </h3>
        <Notes notes={faults} />
      </div>
    );
  }
  return (
    <>
      <p className="import-sum" role="status">
        <b>{plural(tasks.length, 'task')}</b> of {formats.join(', ')}
        {imported_at === null ? null : ': you imported them already, and within a day nothing is added again'}
      </p>
      <Table label="What will be created" columns={COLUMNS} className="import-rows">
        {tasks.slice(0, MAX_ROWS).map((task) => (
          <TableRow key={task.ref}>
            <td>
              <span className="ell">{task.title}</span>
              {task.labels.length === 0 ? null : <span className="faint">{task.labels.join(', ')}</span>}
            </td>
            <td>{task.column}</td>
            <td>
              {task.priority === 'none' ? null : (
                <span className="import-priority">
                  <PriorityIcon priority={task.priority} />
                  {PRIORITY_WORDS[task.priority]}
                </span>
              )}
            </td>
            <td>
              <span className="ell">{task.parent_ref}</span>
            </td>
          </TableRow>
        ))}
      </Table>
      {tasks.length > MAX_ROWS ? <p className="quiet">And {count(tasks.length - MAX_ROWS)} more.</p> : null}
      {left_out.length === 0 ? null : (
        <div>
          <h3>Left out</h3>
          <Notes notes={left_out} />
        </div>
      )}
    </>
  );
}

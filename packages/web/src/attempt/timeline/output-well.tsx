import { useState } from 'react';
import { plural } from '../../text/words.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FIRST_LINES, isBad, type Output } from './output.ts';
import '../../ui/well.css';

interface OutputWellProps {
  readonly output: Output;
}

/**
 * A command with the beginning of what it wrote, the rest on demand; lines that tell of an error are marked (how many
 * lines: `attempt/timeline/output.ts`).
 */
export function OutputWell({ output: { command, lines } }: OutputWellProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div className="well">
      <header>
        <span className="mono" title={command ?? undefined}>
          {command ?? 'Output'}
        </span>
        <span className="grow" />
        <span className="faint">{lines.length === 0 ? 'no output' : plural(lines.length, 'line')}</span>
        {lines.length === 0 ? null : <CopyButton text={lines.join('\n')} label="Copy the output" />}
      </header>
      {shown.length === 0 ? null : (
        <ol className="out">
          {shown.map((line, at) => (
            <li key={at} className={isBad(line) ? 'bad' : undefined}>
              <i>{at + 1}</i>
              <code>{line === '' ? ' ' : line}</code>
            </li>
          ))}
        </ol>
      )}
      {shown.length === lines.length ? null : (
        <footer>
          <button className="link" type="button" onClick={() => setWhole(true)}>
            Load all {plural(lines.length, 'line')}
          </button>
        </footer>
      )}
    </div>
  );
}

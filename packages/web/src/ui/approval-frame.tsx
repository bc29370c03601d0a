import type { ReactNode } from 'react';
import { CommandLine } from './copy-button.tsx';
import { KeyLabel } from './key-label.tsx';
import { Kind } from './kind.tsx';
import './approval-frame.css';

export interface ApprovalFrameProps {
  /** As “Approval” or “Question”. */
  readonly kind: string;
  readonly taskKey: string;
  readonly question: string;
  /** The command that waits to be run. */
  readonly command?: string | undefined;
  /** At the right of the head: how long it waits. */
  readonly aside?: ReactNode;
  /** Buttons: first yes A, first no D, others their number, Reply R. */
  readonly actions: ReactNode;
  readonly testId?: string | undefined;
}

/** A question of an agent with its answers. */
export function ApprovalFrame(props: ApprovalFrameProps) {
  const { kind, taskKey, question, command, aside, actions, testId } = props;
  return (
    <div className="approve" data-testid={testId}>
      <header>
        <Kind tone="you" icon="hand">
          {kind}
        </Kind>
        <KeyLabel value={taskKey} />
        <span className="grow" />
        {aside}
      </header>
      <h3>{question}</h3>
      {command === undefined ? null : <CommandLine command={command} />}
      <footer>{actions}</footer>
    </div>
  );
}

export interface AnsweredFrameProps {
  /** As “Approved once”. */
  readonly answer: string;
  readonly taskKey: string;
  readonly question: string;
  /** Who answered, and when. */
  readonly aside: ReactNode;
}

/** An answered question: one line with who and when. */
export function AnsweredFrame({ answer, taskKey, question, aside }: AnsweredFrameProps) {
  return (
    <div className="approve past">
      <header>
        <Kind tone="done" icon="check">
          {answer}
        </Kind>
        <KeyLabel value={taskKey} />
        <span className="grow" />
        {aside}
      </header>
      <p className="quiet">{question}</p>
    </div>
  );
}

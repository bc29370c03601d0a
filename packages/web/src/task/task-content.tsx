import type { ReactNode } from 'react';
import { type Bindings, useKeys } from '../keys/bindings.ts';
import { AddText } from './add-text.tsx';
import { BlockList } from './block-list.tsx';
import { withText } from './blocks.ts';
import { Description } from './description.tsx';
import type { Edits } from './edits.ts';
import { Links } from './links.tsx';
import { NowBox } from './now-box.tsx';
import { openQuestions } from './open-questions.ts';
import { Question } from './questions.tsx';
import { Story } from './story.tsx';
import { Subtasks } from './subtasks.tsx';
import type { TaskView } from './use-task.ts';

interface TaskContentProps {
  readonly view: TaskView;
  /** Null for those who may only read. */
  readonly edits: Edits | null;
  readonly canRun: boolean;
  readonly onFollowUp: () => void;
  /** Before the story. */
  readonly children?: ReactNode;
}

/**
 * What panel and page show of a task below its title: open questions, the agent at work, description, criteria,
 * sub-tasks, blockers, activity. R writes to the agent unless a question waits.
 */
export function TaskContent({ view, edits, canRun, onFollowUp, children }: TaskContentProps) {
  const { seen, card, talk } = view;
  const key = seen.task.key ?? seen.task_id.slice(0, 8);
  const questions = openQuestions(card, talk);
  const canTell = edits !== null && seen.task.latest_attempt_id !== null;
  // While a question waits, the key answers it.
  const bindings: Bindings =
    canTell && questions.length === 0 ? { r: { does: 'Write to the agent', run: onFollowUp } } : {};
  useKeys(bindings);
  return (
    <>
      {questions.map((question, at) => (
        <Question
          key={question.approval_id}
          question={question}
          taskKey={key}
          hasKeys={at === 0}
          canAnswer={edits !== null}
        />
      ))}
      {card === null ? null : (
        <NowBox card={card} canRun={canRun} hasKey={questions.length === 0} onFollowUp={onFollowUp} />
      )}
      <Description key={seen.task_id} text={seen.task.description} edits={edits} />
      <BlockList key={`${seen.task_id} blocks`} seen={seen} edits={edits} />
      <Subtasks view={view} edits={edits} />
      <Links view={view} edits={edits} />
      {edits === null ? null : (
        <section className="block">
          <AddText onAdd={(heading, text) => edits.changeBlocks(withText(heading, text))} />
        </section>
      )}
      {children}
      <Story view={view} />
    </>
  );
}

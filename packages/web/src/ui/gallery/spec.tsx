import type { ReactNode } from 'react';
import { hueOf } from '../../text/hue.ts';

export interface SpecProps {
  readonly title: string;
  readonly note: string;
  /** Columns of twelve. */
  readonly wide: 3 | 4 | 6 | 8 | 12;
  readonly middle?: boolean | undefined;
  readonly children: ReactNode;
}

export function Spec({ title, note, wide, middle, children }: SpecProps) {
  return (
    <section className={`spec w${wide}`}>
      <header>
        <h2>{title}</h2>
        <p>{note}</p>
      </header>
      <div className={middle ? 'stage' : 'stage kit'}>{children}</div>
    </section>
  );
}

export interface KitRowProps {
  readonly name: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function KitRow({ name, className, children }: KitRowProps) {
  return (
    <div className="kitrow">
      <span>{name}</span>
      <div className={className}>{children}</div>
    </div>
  );
}

/** An id that has the hue that the design gives this agent. */
export function idOfHue(hue: number): string {
  for (let at = 0; ; at += 1) {
    if (hueOf(`agent-${at}`) === hue) {
      return `agent-${at}`;
    }
  }
}

export interface Sample {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

export const AGENTS: readonly Sample[] = [
  { id: idOfHue(1), name: 'atlas', detail: 'Claude Code 2.1.325' },
  { id: idOfHue(2), name: 'kite', detail: 'Codex 0.166.0' },
  { id: idOfHue(3), name: 'juno', detail: 'Gemini CLI 0.61.0' },
  { id: idOfHue(4), name: 'moss', detail: 'opencode 1.18.33' },
  { id: idOfHue(5), name: 'scout', detail: 'Claude Code 2.1.325' },
  { id: idOfHue(6), name: 'p-xel', detail: 'Copilot CLI 1.0.102' },
  { id: idOfHue(7), name: 'tally', detail: 'Cline 3.0.65' },
  { id: idOfHue(8), name: 'fern', detail: 'Qwen Code 0.15.10' },
];

import type { ReactNode } from 'react';
import './card.css';
import './skeleton.css';

export interface BlockProps {
  /** A number is pixels, a text is a share as "86%". */
  readonly width: number | string;
  readonly height?: number | undefined;
}

/** A grey block in the place of what is loaded. */
export function Block({ width, height = 8 }: BlockProps) {
  return <i className="sk" style={{ width, height }} />;
}

export interface SkeletonProps {
  /** The name of what is loaded, such as “Tasks”: a screen reader says it once. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Blocks in the final layout. They appear after 150 ms: what is faster shows nothing in between. */
export function Skeleton({ label, children }: SkeletonProps) {
  return (
    <div className="late" role="status" aria-label={`${label}: loading`}>
      {children}
    </div>
  );
}

export interface SkeletonCardProps {
  /** The widths of the lines of its title. */
  readonly lines?: readonly string[] | undefined;
  /** With a step bar. */
  readonly steps?: boolean | undefined;
}

export function SkeletonCard({ lines = ['86%'], steps }: SkeletonCardProps) {
  return (
    <div className="card skc" aria-hidden="true">
      <p>
        <Block width={52} />
        <span className="grow" />
        <Block width={20} height={20} />
      </p>
      {lines.map((width) => (
        <Block key={width} width={width} height={10} />
      ))}
      {steps ? <Block width="100%" height={4} /> : null}
      <p>
        <Block width={44} />
        <span className="grow" />
        <Block width={26} />
      </p>
    </div>
  );
}

export interface SkeletonRowsProps {
  readonly rows: number;
}

/** Rows of a list or table. */
export function SkeletonRows({ rows }: SkeletonRowsProps) {
  return (
    <div className="tbl-wrap" aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="skr">
          <Block width={14} height={14} />
          <Block width={56} />
          <Block width={`${30 + ((at * 17) % 32)}%`} height={10} />
          <span className="grow" />
          <Block width={26} />
        </div>
      ))}
    </div>
  );
}

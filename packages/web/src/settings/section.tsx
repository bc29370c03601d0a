import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { PageFailure } from '../shell/page-failure.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';

interface SectionProps {
  readonly title: string;
  /** A text about the settings of this section. */
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** One part of the settings: its name at the left, its controls at the right. */
export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <section className="set" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about === undefined ? null : <p className="quiet">{about}</p>}
      </header>
      <div className="set-body">{children}</div>
    </section>
  );
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** The name of what is loaded, such as “People”. */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What a section has read, or why it has not. Other sections go on without it. */
export function Loaded<Data>({ query, what, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) {
    return (
      <Skeleton label={what}>
        <SkeletonRows rows={3} />
      </Skeleton>
    );
  }
  return <PageFailure what={`${what} could not be loaded`} error={error} retrying={isFetching} onRetry={refetch} />;
}

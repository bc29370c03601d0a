import { useEffect, useRef } from 'react';
import type { ReviewComment } from '../../api/attempts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Thread } from './thread.tsx';
import './diff.css';

interface EarlierCommentsProps {
  /** The comments by the path of their file. */
  readonly gone: readonly (readonly [path: string, comments: readonly ReviewComment[]])[];
  /** The file that the address names: it comes into view. */
  readonly named: string | undefined;
}

function GoneFile({ path, comments, isNamed }: { path: string; comments: readonly ReviewComment[]; isNamed: boolean }) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNamed) article.current?.scrollIntoView({ block: 'start' });
  }, [isNamed]);
  return (
    <article ref={article} className="diff" data-testid={`earlier-${path}`}>
      <header>
        <span className="mono">{path}</span>
        <Badge>no longer changed</Badge>
      </header>
      <div className="talk-gone">
        <Thread comments={comments} />
      </div>
    </article>
  );
}

/** Comments on files that the newest version of the changes has no more: without them an answer would have no question. */
export function EarlierComments({ gone, named }: EarlierCommentsProps) {
  if (gone.length === 0) return null;
  return (
    <section className="earlier" aria-label="On earlier versions">
      <h2>On earlier versions</h2>
      {gone.map(([path, comments]) => (
        <GoneFile key={path} path={path} comments={comments} isNamed={named === path} />
      ))}
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { CallError } from 'errand/client/answer';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Attempt, type ChangedFile, diffQuery, type ReviewComment, versionOf } from '../../api/attempts.ts';
import { reasonOf } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Diffstat } from '../../ui/diffstat.tsx';
import { ErrorFrame } from '../../ui/error-frame.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Block, Skeleton } from '../../ui/skeleton.tsx';
import { CommentBox } from './comment-box.tsx';
import { DiffTable, type Side } from './diff-table.tsx';
import { onGoneLines } from './earlier.ts';
import { FileMenu } from './file-menu.tsx';
import { readPatch } from './patch.ts';
import { Thread } from './thread.tsx';
import './diff.css';
import './code.css';

const CHANGES = { added: 'new', deleted: 'deleted', renamed: 'renamed', modified: null } as const;
const TONES = { added: 'done', deleted: 'fail', renamed: undefined, modified: undefined } as const;

/** A file with more changed lines begins folded. */
export const MAX_OPEN_LINES = 2_000;

interface DiffFileProps {
  readonly attempt: Attempt;
  readonly file: ChangedFile;
  readonly comments: readonly ReviewComment[];
  readonly isSplit: boolean;
  readonly isSeen: boolean;
  readonly onSeen: (isSeen: boolean) => void;
  /** The file that the address names: it comes into view. */
  readonly isNamed: boolean;
}

/** The name of a file with its folder in grey. */
function PathName({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="mono">
      {path.slice(0, cut)}
      <b>{path.slice(cut)}</b>
    </span>
  );
}

/**
 * The changes of one file. It begins folded when it is large, binary or ticked as seen. Its diff is read when it comes
 * near the view.
 */
export function DiffFile({ attempt, file, comments, isSplit, isSeen, onSeen, isNamed }: DiffFileProps) {
  const { path, change, insertions, deletions, repo_id } = file;
  const lines = (insertions ?? 0) + (deletions ?? 0);
  const isText = insertions !== null && deletions !== null;
  const [isFolded, setFolded] = useState(lines > MAX_OPEN_LINES || !isText || isSeen);
  const [isNear, setNear] = useState(false);
  const [writing, setWriting] = useState<{ readonly side: Side; readonly line: number } | null>(null);
  const article = useRef<HTMLElement>(null);

  useEffect(() => {
    const element = article.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const query = diffQuery(attempt.attempt_id, path, versionOf(attempt));
  const { data, error, refetch, isFetching } = useQuery({ ...query, enabled: isNear && !isFolded && isText });
  const patch = useMemo(() => (data === undefined ? null : readPatch(data.text)), [data]);
  const isRead = patch !== null;
  // Once more when its lines have come: until then the page may be too short to bring it to the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (isNamed) article.current?.scrollIntoView({ block: 'start' });
  }, [isNamed, isRead]);
  const gone = patch === null ? comments.filter(({ line }) => line === null) : onGoneLines(patch.hunks, comments);

  function mark(next: boolean): void {
    onSeen(next);
    setFolded(next);
  }
  return (
    <article ref={article} className={classes('diff', isFolded && 'folded')} data-testid={`diff-file-${path}`}>
      <header>
        <IconButton
          icon={isFolded ? 'right' : 'down'}
          label={isFolded ? `Unfold ${path}` : `Fold ${path}`}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        />
        <PathName path={path} />
        <CopyButton text={path} label="Copy the path" />
        {CHANGES[change] === null ? null : <Badge tone={TONES[change]}>{CHANGES[change]}</Badge>}
        {isText ? <Diffstat added={insertions} removed={deletions} /> : <Badge>binary</Badge>}
        <span className="grow" />
        <span className="seen">
          <Checkbox checked={isSeen} label={`Seen: ${path}`} onChange={mark} />
          Seen
        </span>
        <FileMenu
          path={path}
          attempt={attempt.key ?? attempt.attempt_id}
          isFolded={isFolded}
          onFold={setFolded}
          isSeen={isSeen}
          onSeen={mark}
        />
      </header>
      {isFolded ? null : (
        <div className="diff-body">
          {gone.length === 0 ? null : (
            <div className="talk-gone">
              <h3>On earlier versions</h3>
              <Thread comments={gone} />
            </div>
          )}
          {!isText || patch?.isBinary ? (
            <p className="diff-note">This file is not text. Its changes are on the branch.</p>
          ) : null}
          {error === null ? null : (
            <ErrorFrame
              what="The diff could not be loaded"
              why={reasonOf(error)}
              code={error instanceof CallError ? error.failure.code : undefined}
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {isText && patch === null && error === null ? (
            <Skeleton label="Diff">
              <div className="diff-wait">
                <Block width="60%" />
                <Block width="48%" />
                <Block width="72%" />
              </div>
            </Skeleton>
          ) : null}
          {patch === null || patch.hunks.length === 0 ? null : (
            <DiffTable
              path={path}
              hunks={patch.hunks}
              isSplit={isSplit}
              comments={comments}
              writing={writing}
              onWrite={(side, line) => setWriting({ side, line })}
              box={
                writing === null ? null : (
                  <CommentBox
                    key={`${writing.side} ${writing.line}`}
                    attempt={attempt.attempt_id}
                    place={{ repo_id, path, ...writing }}
                    onClose={() => setWriting(null)}
                  />
                )
              }
            />
          )}
          {patch !== null && patch.hunks.length === 0 && !patch.isBinary && isText ? (
            <p className="diff-note">
              {data?.isCut
                ? 'The patch was too long to be kept: this file is on the branch only.'
                : 'No line was changed.'}
            </p>
          ) : null}
        </div>
      )}
    </article>
  );
}

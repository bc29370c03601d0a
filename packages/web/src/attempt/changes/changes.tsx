import type { FeedEntry } from 'errand/client';
import { type Attempt, versionOf } from '../../api/attempts.ts';
import { plural } from '../../text/words.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { AttemptSearch } from '../attempt-search.ts';
import { DiffFile } from './diff-file.tsx';
import { commentsOn, onGoneFiles } from './earlier.ts';
import { EarlierComments } from './earlier-comments.tsx';
import { FileList } from './file-list.tsx';
import { inTreeOrder } from './file-tree.ts';
import { ReviewSide } from './review-side.tsx';
import { useSeen } from './seen-files.ts';
import './changes.css';

interface ChangesProps {
  readonly attempt: Attempt;
  readonly agent: string;
  /** The feed as far as it is loaded: it tells what the agent wrote while no repository does. */
  readonly entries: readonly FeedEntry[];
  readonly search: AttemptSearch;
  readonly onSearch: (change: AttemptSearch) => void;
}

/** What the agent says that it wrote. */
function Reported({ entries }: Pick<ChangesProps, 'entries'>) {
  const paths = [
    ...new Set(entries.filter(({ kind }) => kind === 'edit').map(({ text }) => text.split('\n')[0] ?? '')),
  ];
  if (paths.length === 0) {
    return (
      <Empty icon="file" title="Nothing has changed yet">
        The files that the agent changes appear here when its run has ended.
      </Empty>
    );
  }
  return (
    <div className="reported">
      <Banner icon="info">
        <b>Reported by the agent.</b> The changes themselves are read from the repository when the run has ended.
      </Banner>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <Icon name="edit" />
            <span className="mono">{path}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The tab “Changes” of an attempt: its files, unified or split, and files that the agent left outside of the branch. */
export function Changes({ attempt, agent, entries, search, onSearch }: ChangesProps) {
  const { files = [], comments = [], repos, workspace_branch, outside } = attempt;
  const { commits } = attempt.changes;
  const [seen, mark] = useSeen(`${attempt.attempt_id} ${versionOf(attempt)}`);
  const earlier = <EarlierComments gone={onGoneFiles(files, comments)} named={search.file} />;
  if (files.length === 0) {
    return (
      <div className="unchanged">
        <Reported entries={entries} />
        {earlier}
      </div>
    );
  }
  const go = (path: string) => onSearch({ file: path });
  return (
    <div className="changes">
      <FileList attempt={attempt} comments={comments} seen={seen} current={search.file} onGo={go} />
      <div className="diffs">
        <div className="diff-bar">
          <span className="mono small quiet">
            {[...new Set(repos.map(({ target_branch }) => target_branch))].join(', ')}
          </span>
          <Icon name="left" />
          <span className="mono small">{workspace_branch}</span>
          {commits === null || commits === 0 ? null : <Badge icon="commit">{plural(commits, 'commit')}</Badge>}
          <span className="grow" />
          <Choice
            label="View"
            value={search.split ? 'split' : 'unified'}
            options={[
              { value: 'unified', label: 'Unified', icon: 'unified' },
              { value: 'split', label: 'Split', icon: 'split' },
            ]}
            onChange={(view) => onSearch({ split: view === 'split' ? true : undefined })}
          />
        </div>
        {outside === null ? null : (
          <Banner icon="info">
            <b>Not on the branch:</b> {outside.paths.join(', ')}
            {outside.total > outside.paths.length ? ` and ${outside.total - outside.paths.length} more` : ''}
          </Banner>
        )}
        {inTreeOrder(files).map((file) => (
          <DiffFile
            key={`${file.repo_id} ${file.path}`}
            attempt={attempt}
            file={file}
            comments={commentsOn(file, comments)}
            isSplit={search.split ?? false}
            isSeen={seen.has(file.path)}
            onSeen={(isSeen) => mark(file.path, isSeen)}
            isNamed={search.file === file.path}
          />
        ))}
        {earlier}
      </div>
      <ReviewSide attempt={attempt} agent={agent} comments={comments} onGo={go} />
    </div>
  );
}

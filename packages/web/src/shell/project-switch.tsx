import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { meQuery } from '../api/me.ts';
import { hueOf } from '../text/hue.ts';
import { Icon } from '../ui/icon.tsx';
import { lazily } from '../ui/lazily.ts';
import { Menu } from '../ui/menu.tsx';
import { useProject } from './project.ts';
import { usePlace } from './use-place.ts';

const NewProject = lazily(() => import('../settings/new-project.tsx').then(({ NewProject }) => NewProject));

interface ProjectSwitchProps {
  /** Opens the import of tasks to the project. */
  readonly onImport: () => void;
}

/** Pages about one project, besides the places of one. */
const OF_PROJECT = /^\/(?:p|t|a)\//;

/**
 * Shows the project of the page, or that the page is about all of them, and leads to another, to the import of tasks or, for admins, to a
 * new one.
 */
export function ProjectSwitch({ onImport }: ProjectSwitchProps) {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const project = useProject();
  const place = usePlace();
  const [isMaking, setMaking] = useState(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  if (project === null) return null;
  const isOfAll = place?.isOfProject !== true && !OF_PROJECT.test(pathname);
  const items = [
    { id: 'all', label: 'All projects', current: isOfAll, onSelect: () => void navigate({ to: '/inbox' }) },
    ...(me?.projects ?? []).map(({ project_id, key, name }) => ({
      id: project_id,
      label: name,
      current: !isOfAll && project_id === project.project_id,
      onSelect: () => void navigate({ to: `/p/${key}` }),
    })),
  ];
  const making = {
    id: 'new',
    label: 'New project',
    icon: <Icon name="plus" />,
    apart: true,
    onSelect: () => setMaking(true),
  };
  const canWrite = project.scopes.includes('board:write');
  const importing = {
    id: 'import',
    label: 'Import tasks',
    icon: <Icon name="import" />,
    apart: true,
    onSelect: onImport,
  };
  return (
    <>
      <Menu
        label="Projects"
        items={[
          ...items,
          ...(canWrite && !isOfAll ? [importing] : []),
          ...(me?.scopes.includes('admin') ? [making] : []),
        ]}
        filter="Go to project…"
        trigger={
          <button className="switch" type="button">
            <span className="proj">
              {isOfAll ? <Icon name="board" /> : <i className={`pdot id-${hueOf(project.project_id)}`} />}
            </span>
            <b>{isOfAll ? 'All projects' : project.name}</b>
            <Icon name="down" />
          </button>
        }
      />
      <Suspense>{isMaking ? <NewProject onClose={() => setMaking(false)} /> : null}</Suspense>
    </>
  );
}

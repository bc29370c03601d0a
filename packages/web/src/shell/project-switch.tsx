import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { meQuery } from '../api/me.ts';
import { hueOf } from '../text/hue.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { useProject } from './project.ts';
import { usePlace } from './use-place.ts';

/** Pages about one project, besides the places of one. */
const OF_PROJECT = /^\/(?:p|t|a)\//;

/** Shows the project of the page, or that the page is about all of them, and leads to another one. */
export function ProjectSwitch() {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const project = useProject();
  const place = usePlace();
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
  return (
    <Menu
      label="Projects"
      items={items}
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
  );
}

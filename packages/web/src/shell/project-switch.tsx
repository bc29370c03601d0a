import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { meQuery } from '../api/me.ts';
import { hueOf } from '../text/hue.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { useProject } from './project.ts';

/** Shows the project of the page, and leads to another one. */
export function ProjectSwitch() {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const project = useProject();
  if (project === null) return null;
  const items = (me?.projects ?? []).map(({ project_id, key, name }) => ({
    id: project_id,
    label: name,
    onSelect: () => void navigate({ to: `/p/${key}` }),
  }));
  return (
    <Menu
      label="Projects"
      items={items}
      filter="Go to project…"
      trigger={
        <button className="switch" type="button">
          <span className="proj">
            <i className={`pdot id-${hueOf(project.project_id)}`} />
          </span>
          <b>{project.name}</b>
          <Icon name="down" />
        </button>
      }
    />
  );
}

import { Link } from '@tanstack/react-router';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { BrandMark } from './brand-mark.tsx';
import { PLACES, type Place } from './places.ts';
import { useProject } from './project.ts';
import { switchTheme, useTheme } from './theme.ts';
import './rail.css';

function PlaceLink({ place, project }: { readonly place: Place; readonly project: string | null }) {
  return (
    <Link to={place.to(project)} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
      <Icon name={place.icon} />
      <span>{place.name}</span>
    </Link>
  );
}

interface RailProps {
  readonly onShowKeys: () => void;
}

/** The way to every page, at the left. */
export function Rail({ onShowKeys }: RailProps) {
  const project = useProject();
  const theme = useTheme();
  return (
    <nav className="rail" aria-label="Main">
      <Link className="brand" to="/">
        <BrandMark />
        <b>Errand</b>
      </Link>
      {PLACES.map((group) => (
        <div className="rail-list" key={group[0]?.name}>
          {group.map((place) => (
            <PlaceLink key={place.name} place={place} project={project?.key ?? null} />
          ))}
        </div>
      ))}
      <div className="rail-foot">
        <span className="me" />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label="Switch between light and dark"
          onClick={switchTheme}
        />
        <IconButton icon="question" label="Keys for this view" keys="?" onClick={onShowKeys} />
      </div>
    </nav>
  );
}

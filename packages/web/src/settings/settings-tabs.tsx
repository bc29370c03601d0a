import { Link } from '@tanstack/react-router';
import { useProject } from '../shell/project.ts';
import { TabLinks } from '../ui/tabs.tsx';

/** The way between the settings of the workspace and those of the project. */
export function SettingsTabs() {
  const project = useProject();
  const here = { 'aria-current': 'page' } as const;
  return (
    <TabLinks label="Settings of">
      <Link to="/settings" activeProps={here}>
        You and the workspace
      </Link>
      {project?.key ? (
        <Link to="/p/$key/settings" params={{ key: project.key }} activeProps={here}>
          {project.name}
        </Link>
      ) : null}
    </TabLinks>
  );
}

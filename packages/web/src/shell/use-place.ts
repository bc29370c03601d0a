import { useLocation } from '@tanstack/react-router';
import { type Place, railPageOf } from './places.ts';
import { useProject } from './project.ts';

/** Which entry of the navigation the shown page belongs to, so that it is marked as current. */
export function usePlace(): Place | undefined {
  const project = useProject();
  const pathname = useLocation({ select: (location) => location.pathname });
  return railPageOf(pathname, project?.key ?? null);
}

import { listed } from '../text/words.ts';
import { AvatarStack } from '../ui/avatar-stack.tsx';
import { usePresence } from './use-presence.ts';
import './presence.css';

interface PresenceProps {
  readonly taskId: string | undefined;
}

/** The others who look at the task now, and whether one of them writes. */
export function Presence({ taskId }: PresenceProps) {
  const others = usePresence(taskId);
  const writers = others.filter(({ editing }) => editing).map(({ name }) => name);
  const names = others.map(({ name }) => name);
  const looking = `${listed(names)} ${names.length === 1 ? 'looks' : 'look'} at this too`;
  const writing = `${listed(writers)} ${writers.length === 1 ? 'is' : 'are'} writing`;
  return (
    <span className="presence" role="status">
      {others.length === 0 ? null : (
        <>
          <AvatarStack size={20} who={others.map(({ user_id, name }) => ({ kind: 'person', id: user_id, name }))} />
          <span className={writers.length === 0 ? 'sr' : 'faint small'}>
            {writers.length === 0 ? looking : writing}
          </span>
        </>
      )}
    </span>
  );
}

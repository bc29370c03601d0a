import { useQuery } from '@tanstack/react-query';
import { attemptQuery } from '../api/attempts.ts';
import { MergeDialog } from '../attempt/merge-dialog.tsx';
import { ShipResult } from '../attempt/ship-result.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface InboxMergeProps {
  readonly attemptId: string;
  readonly onClose: () => void;
}

/** The merge dialog of the attempt page over the inbox. It reads the attempt with its review comments first. */
export function InboxMerge({ attemptId, onClose }: InboxMergeProps) {
  const { data: attempt, error } = useQuery(attemptQuery(attemptId));
  if (attempt !== undefined) return <MergeDialog attempt={attempt} onClose={onClose} />;
  if (error === null) return null;
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())} title="The attempt could not be read">
      <ShipResult answer={undefined} error={error} />
    </Dialog>
  );
}

import { Empty } from '../ui/empty.tsx';

/** An address that no page has, such as one that was cut in a chat: it says so, and leads to the board. */
export function NoSuchPage() {
  return (
    <Empty
      icon="board"
      title="There is no such page"
      actions={
        <a className="link" href="/">
          Go to the board
        </a>
      }
    >
      The address may be cut or mistyped.
    </Empty>
  );
}

import { AgentTile } from './agent-tile.tsx';
import { PersonDot } from './person-dot.tsx';
import './avatar-stack.css';

export interface Who {
  readonly kind: 'agent' | 'person';
  readonly id: string;
  readonly name: string;
}

export interface AvatarStackProps {
  readonly who: readonly Who[];
  readonly size?: 16 | 20 | 24 | undefined;
  /** How many are drawn; the rest are a number. */
  readonly most?: number | undefined;
}

/** Several agents and people, three unless told otherwise, and how many more there are: +2. */
export function AvatarStack({ who, size = 20, most = 3 }: AvatarStackProps) {
  const rest = who.slice(most);
  return (
    <span className="whos">
      {who
        .slice(0, most)
        .map(({ kind, id, name }) =>
          kind === 'agent' ? (
            <AgentTile key={id} id={id} name={name} size={size} />
          ) : (
            <PersonDot key={id} name={name} size={size} />
          ),
        )}
      {rest.length === 0 ? null : (
        <span className="whos-rest num" title={rest.map(({ name }) => name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}

import { hueOf, monogram } from '../text/hue.ts';
import './who.css';

export type TileSize = 16 | 20 | 24 | 28 | 32 | 40;

export interface AgentTileProps {
  /** Decides the hue: the same agent has it everywhere. */
  readonly id: string;
  readonly name: string;
  readonly size?: TileSize | undefined;
  /** A text beside the name on hover, such as the client and its version. */
  readonly detail?: string | undefined;
  /** The name stands beside the tile, so a screen reader need not say it twice. */
  readonly silent?: boolean | undefined;
}

/** An agent: a rounded square with two letters. */
export function AgentTile({ id, name, size = 20, detail, silent }: AgentTileProps) {
  return (
    <span className="who" title={detail === undefined ? name : `${name} · ${detail}`}>
      <span className={`tile s${size} id-${hueOf(id)}`} aria-hidden="true">
        {monogram(name)}
      </span>
      {silent ? null : <span className="sr">{name}</span>}
    </span>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Scope } from '../api/agents.ts';
import { meQuery } from '../api/me.ts';
import { namesIn, plural } from '../text/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Choice } from '../ui/choice.tsx';
import { GRANTABLE, PRESETS, type Preset } from './presets.ts';

/** Where an agent may work, and what it may do there. */
export interface Rights {
  readonly projects: ReadonlySet<string>;
  readonly preset: Preset;
  /** The scopes that are chosen one by one; only with the preset Custom. */
  readonly custom: readonly Scope[];
  readonly canComplete: boolean;
  readonly canCancel: boolean;
}

export const scopesOf = ({ preset, custom }: Rights): readonly Scope[] =>
  preset === 'Custom' ? custom : PRESETS[preset];

interface RightsFieldsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
}

/** The fields for the rights of an agent. */
export function RightsFields({ rights, onChange }: RightsFieldsProps) {
  const { data: me } = useQuery(meQuery);
  const { projects, preset, custom, canComplete, canCancel } = rights;
  const set = (part: Partial<Rights>) => onChange({ ...rights, ...part });
  const flip = (id: string) => {
    const next = new Set(projects);
    if (!next.delete(id)) next.add(id);
    set({ projects: next });
  };
  return (
    <>
      <fieldset className="field picks">
        <legend>Projects</legend>
        {(me?.projects ?? []).map(({ project_id, name: title }) => (
          <label key={project_id} className="pick-row" htmlFor={`in-${project_id}`}>
            <Checkbox
              id={`in-${project_id}`}
              checked={projects.has(project_id)}
              onChange={() => flip(project_id)}
              label={title}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <span>Rights</span>
        <Choice<Preset>
          label="Rights"
          value={preset}
          options={(['Read', 'Worker', 'Planner', 'Custom'] as const).map((value) => ({ value, label: value }))}
          onChange={(value) => set({ preset: value, ...(value === 'Custom' && { custom: scopesOf(rights) }) })}
        />
      </div>
      {preset === 'Custom' ? (
        <fieldset className="field picks two-cols">
          <legend>May</legend>
          {namesIn(GRANTABLE).map((scope) => (
            <label key={scope} className="pick-row" htmlFor={`may-${scope}`}>
              <Checkbox
                id={`may-${scope}`}
                checked={custom.includes(scope)}
                label={GRANTABLE[scope]}
                onChange={(on) => set({ custom: on ? [...custom, scope] : custom.filter((each) => each !== scope) })}
              />
              {GRANTABLE[scope]}
            </label>
          ))}
        </fieldset>
      ) : null}
      <label className="pick-row" htmlFor="may-finish">
        <Checkbox
          id="may-finish"
          checked={canComplete}
          onChange={(on) => set({ canComplete: on })}
          label="Move tasks to Done"
        />
        Move tasks to Done
      </label>
      <label className="pick-row" htmlFor="may-cancel">
        <Checkbox id="may-cancel" checked={canCancel} onChange={(on) => set({ canCancel: on })} label="Cancel tasks" />
        Cancel tasks
      </label>
      <p className="hint">{plural(projects.size, 'project')} chosen.</p>
    </>
  );
}

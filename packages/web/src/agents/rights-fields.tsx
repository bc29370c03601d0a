import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../api/agents.ts';
import { meQuery } from '../api/me.ts';
import { namesIn, plural } from '../text/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Choice } from '../ui/choice.tsx';
import { GRANTABLE, isOfProject, type Preset, presetOf } from './presets.ts';
import { type Rights, withPreset, withTick } from './rights.ts';
import '../ui/field.css';

interface RightsFieldsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
  /** What the agent has now; undefined for one that is made. */
  readonly grants?: Agent['grants'];
}

const NONE: Agent['grants'] = [];

/** Where it has a right that it does not have in all of its projects. */
function onlyIn(grants: Agent['grants'], has: (grant: Agent['grants'][number]) => boolean): string {
  return `, now only in ${grants
    .filter(has)
    .map(({ project_name }) => project_name ?? 'a project')
    .join(', ')}`;
}

/** The fields for the rights of an agent. A right that its projects do not share stays mixed until a person sets it. */
export function RightsFields({ rights, onChange, grants }: RightsFieldsProps) {
  const { data: me } = useQuery(meQuery);
  const { projects, preset, ticks, canComplete, canCancel } = rights;
  const before = grants ?? NONE;
  const named = new Map((me?.projects ?? []).map(({ project_id, name }) => [project_id, name]));
  for (const { project_id, project_name } of before) {
    if (!named.has(project_id)) named.set(project_id, project_name ?? 'A project');
  }
  // A grant gives rights in a project only; the others are those of the token.
  const offered = namesIn(GRANTABLE).filter((scope) => grants === undefined || isOfProject(scope));
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
        {[...named].map(([project_id, title]) => (
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
        <Choice<Preset | 'Mixed'>
          label="Rights"
          value={preset}
          options={(['Read', 'Worker', 'Planner', 'Custom'] as const).map((value) => ({ value, label: value }))}
          onChange={(value) => (value === 'Mixed' ? undefined : onChange(withPreset(rights, value)))}
        />
        {preset === 'Mixed' ? (
          <p className="hint">
            Its projects differ (
            {before.map(({ project_name, scopes }) => `${project_name}: ${presetOf(scopes)}`).join(', ')}
            ). Each keeps its rights until you choose.
          </p>
        ) : null}
      </div>
      {preset === 'Custom' ? (
        <fieldset className="field picks two-cols">
          <legend>May</legend>
          {offered.map((scope) => (
            <label key={scope} className="pick-row" htmlFor={`may-${scope}`}>
              <Checkbox
                id={`may-${scope}`}
                checked={ticks.get(scope) ?? false}
                label={GRANTABLE[scope]}
                onChange={(on) => onChange(withTick(rights, scope, on))}
              />
              {GRANTABLE[scope]}
              {ticks.get(scope) === 'some' ? onlyIn(before, ({ scopes }) => scopes.includes(scope)) : null}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div className="field picks">
        <label className="pick-row" htmlFor="may-finish">
          <Checkbox
            id="may-finish"
            checked={canComplete}
            onChange={(on) => set({ canComplete: on })}
            label="Move tasks to Done"
          />
          Move tasks to Done
          {canComplete === 'some' ? onlyIn(before, ({ can_complete }) => can_complete) : null}
        </label>
        <label className="pick-row" htmlFor="may-cancel">
          <Checkbox
            id="may-cancel"
            checked={canCancel}
            onChange={(on) => set({ canCancel: on })}
            label="Cancel tasks"
          />
          Cancel tasks
          {canCancel === 'some' ? onlyIn(before, ({ can_cancel }) => can_cancel) : null}
        </label>
      </div>
      <p className="hint">{plural(projects.size, 'project')} chosen.</p>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { meQuery } from '../api/me.ts';
import { projectQuery } from '../api/project-settings.ts';
import { rememberProject } from '../shell/project.ts';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { ProjectBudgets } from './project-budgets.tsx';
import { ProjectGeneral } from './project-general.tsx';
import { ProjectGuide } from './project-guide.tsx';
import { ProjectLabels } from './project-labels.tsx';
import { ProjectMembers } from './project-members.tsx';
import { ProjectRemove } from './project-remove.tsx';
import { ProjectRepos } from './project-repos.tsx';
import { ProjectStates } from './project-states.tsx';
import { ProjectWork } from './project-work.tsx';
import { Loaded } from './section.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import './settings.css';

interface PartsProps {
  /** The key of the project. */
  readonly name: string;
}

function Parts({ name }: PartsProps) {
  const query = useQuery(projectQuery(name));
  return (
    <Loaded query={query} what="The project">
      {(project) => (
        <>
          <ProjectGeneral project={project} />
          <ProjectStates project={project} />
          <ProjectLabels project={project} />
          <ProjectMembers project={project} />
          <ProjectRepos project={project} />
          <ProjectGuide project={project} />
          <ProjectWork project={project} />
          <ProjectBudgets project={project} />
          <ProjectRemove project={project} />
        </>
      )}
    </Loaded>
  );
}

/** The page with the settings of a project: the order of its sections, for admins only; others read the command that makes them one. */
export function ProjectSettingsPage() {
  const { key } = useParams({ from: '/frame/p/$key/settings' });
  const query = useQuery(meQuery);
  useEffect(() => {
    rememberProject(key);
    document.title = `Settings · ${key} · Errand`;
  }, [key]);
  return (
    <main className="view" id="content">
      <div className="page settings-page">
        <header className="page-head">
          <h1>Settings</h1>
        </header>
        <SettingsTabs />
        <Loaded query={query} what="Your rights">
          {(me) =>
            me.scopes.includes('admin') ? (
              <Parts name={key} />
            ) : (
              <NotAllowed
                title="Settings of projects are for admins"
                request={`Please make ${me.user.name} an admin of ${me.workspace.name}: errand user update "${me.user.name}" --role admin`}
              >
                You are a member of {me.workspace.name}: the settings of {key} need the scope admin.
              </NotAllowed>
            )
          }
        </Loaded>
      </div>
    </main>
  );
}

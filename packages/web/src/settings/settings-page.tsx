import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../api/me.ts';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { CostsSection } from './costs-section.tsx';
import { PeopleSection } from './people-section.tsx';
import { Loaded } from './section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { TokensSection } from './tokens-section.tsx';
import { WorkspaceSection } from './workspace-section.tsx';
import { YouSection } from './you-section.tsx';
import './settings.css';

/**
 * What a person decides for themselves (password, browsers), and an admin for all (workspace, people, tokens). Others
 * read the command that makes them an admin.
 */
export function SettingsPage() {
  const query = useQuery(meQuery);
  useEffect(() => {
    document.title = 'Settings · Errand';
  }, []);
  return (
    <main className="view" id="content">
      <div className="page settings-page">
        <header className="page-head">
          <h1>Settings</h1>
        </header>
        <SettingsTabs />
        <Loaded query={query} what="Your settings">
          {(me) => (
            <>
              <YouSection me={me} />
              <SessionsSection />
              <CostsSection />
              {me.scopes.includes('admin') ? (
                <>
                  <WorkspaceSection />
                  <PeopleSection myId={me.user.user_id} />
                  <TokensSection />
                </>
              ) : (
                <NotAllowed
                  title="The rest is for admins"
                  request={`Please make ${me.user.name} an admin of ${me.workspace.name}: errand user update "${me.user.name}" --role admin`}
                >
                  You are a member of {me.workspace.name}: the workspace, its people and tokens need the scope admin.
                </NotAllowed>
              )}
            </>
          )}
        </Loaded>
      </div>
    </main>
  );
}

import { say } from '#advice';
import type { AppUser } from '#domain/app';
import type { UserId, WorkspaceId } from '#domain/ids';
import type { User } from '#domain/user';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { giveInbox } from './users.ts';
import type { ReadWork, WriteWork } from './work.ts';

const full = (app: string, most: number): ErrandError =>
  new ErrandError('conflict', `The app ${app} has ${most} users, which is as many as an app may have.`, {
    hint: say`Remove users with ${{ command: 'user remove' }}, or raise ${{ setting: 'ERRAND_MAX_APP_USERS' }}.`,
  });

const unknownApp = (app: string): ErrandError =>
  new ErrandError('not_found', `No app ${app}.`, {
    hint: say`An app begins with its first token: ${{ command: 'token list' }}.`,
  });

/** The users of apps. An app names them by its own ids, and the first call that names a user creates the user. */
export function createAppUsers({ ids, cursors, limits: { max_app_users } }: Ports) {
  async function toRemove({ tx, caller }: WriteWork, id: string, app: string | undefined): Promise<User> {
    const { workspace_id } = caller;
    if (app !== undefined) {
      const user = await tx.appUsers.find(workspace_id, { app, external_id: id });
      if (user !== null) return user;
      if (!(await tx.appUsers.hasApp(workspace_id, app))) throw unknownApp(app);
    }
    // Safe: an id that is not a user's is not found.
    const user = await tx.users.find(workspace_id, id as UserId);
    if (user !== null && user.app === null) {
      throw new ErrandError(
        'validation_error',
        say`${{ field: 'user_id' }}: ${user.name} is a person, and people are not removed.`,
        {
          hint: say`Block a person instead: ${{ command: 'user block' }}.`,
        },
      );
    }
    if (user !== null && (app === undefined || user.app === app)) return user;
    throw new ErrandError('not_found', app === undefined ? `No user ${id}.` : `The app ${app} has no user ${id}.`, {
      hint: say`List the users of an app for their ids: ${{ command: 'user list' }} --app NAME.`,
    });
  }

  return {
    /** Returns the user of an app, who is created when the app names the id for the first time. */
    ensure: async (
      tx: Transaction,
      workspace_id: WorkspaceId,
      named: AppUser,
    ): Promise<{ readonly user: User; readonly isNew: boolean }> => {
      const known = await tx.appUsers.find(workspace_id, named);
      if (known !== null) return { user: known, isNew: false };

      const user: User = {
        id: ids(),
        workspace_id,
        app: named.app,
        name: named.external_id,
        role: 'member',
        status: 'active',
        created_at: tx.now,
      };
      const claim = await tx.appUsers.claim(user, named, max_app_users);
      if (claim === 'full') throw full(named.app, max_app_users);
      if (claim === 'taken') {
        const first = await tx.appUsers.find(workspace_id, named);
        if (first === null) throw new Error('The id of an app’s user is taken, but nobody has it.');
        return { user: first, isNew: false };
      }
      await tx.users.insert(user);
      await giveInbox(tx, ids, user);
      return { user, isNew: true };
    },

    list: async ({ tx, caller }: ReadWork, app: string, page: PageRequest): Promise<PageOf<User>> => {
      if (!(await tx.appUsers.hasApp(caller.workspace_id, app))) throw unknownApp(app);
      return readPage(cursors, page, {
        name: `app-users:${caller.workspace_id}:${app}`,
        read: (part) => tx.appUsers.list(caller.workspace_id, app, part),
      });
    },

    /** Removes an app's user with all their data. If the app names the same id again, that is a new user. */
    remove: async (work: WriteWork, id: string, app: string | undefined): Promise<User> => {
      const user = await toRemove(work, id, app);
      await work.tx.appUsers.remove(user);
      work.changed(user, null);
      return user;
    },
  };
}

export type AppUsers = ReturnType<typeof createAppUsers>;

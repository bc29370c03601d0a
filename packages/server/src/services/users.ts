import { say } from '#advice';
import type { UserId, WorkspaceId } from '#domain/ids';
import type { Project } from '#domain/project';
import type { User, UserRole, UserStatus } from '#domain/user';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';
import { LOCAL_OWNER } from './local-owner.ts';
import { type PageOf, type PageRequest, readPage } from './pages.ts';
import type { Ports } from './ports.ts';
import { proposeKey } from './project-keys.ts';
import { openProject } from './projects.ts';
import { mustBeActiveUser } from './tokens.ts';
import type { ReadWork, WriteWork } from './work.ts';

interface NewUser {
  readonly workspace_id: WorkspaceId;
  readonly name: string;
  readonly role: UserRole;
}

/** Creates the personal project of a new user, which is their todo list. */
export async function giveInbox(tx: Transaction, ids: Ports['ids'], user: User): Promise<Project> {
  const inbox = await openProject(tx, ids, {
    workspace_id: user.workspace_id,
    name: 'Inbox',
    owner_id: user.id,
    card_guide: null,
    key: user.app === null ? await proposeKey(tx, user.workspace_id, user.name) : null,
  });
  await tx.projects.putMember({ project_id: inbox.id, user_id: user.id, role: 'admin', added_at: tx.now });
  return inbox;
}

/** Creates a person, with the personal project that is their todo list. */
export async function openUser(
  tx: Transaction,
  ids: Ports['ids'],
  fields: NewUser,
): Promise<{ readonly user: User; readonly inbox: Project }> {
  const user: User = { ...fields, app: null, id: ids(), status: 'active', created_at: tx.now };
  await tx.users.insert(user);
  return { user, inbox: await giveInbox(tx, ids, user) };
}

/** How many people of one name a warning lists. */
const MAX_NAMESAKES = 5;

function warningOf(name: string, namesakes: readonly User[]): string {
  const listed = namesakes.map(({ id, role, status }) => `${id} (${role}, ${status})`).join(', ');
  return `Another user is called ${JSON.stringify(name)}: ${listed}. Name each of them by id.`;
}

/** Refuses a name with which another person signs in: a name and a password must mean one person. */
async function mustSignInAlone({ tx, caller }: WriteWork, { id, name }: User): Promise<void> {
  if ((await tx.passwords.find(caller.workspace_id, id)) === null) return;
  const other = await tx.passwords.ofName(caller.workspace_id, name);
  if (other === null || other.user_id === id) return;
  throw new ErrandError('conflict', `Another user called ${JSON.stringify(name)} signs in with a password.`, {
    hint: 'Choose another name.',
  });
}

export function createUsers({ ids, cursors }: Ports) {
  return {
    /** Adds a person; `warning` names others with the same name. */
    add: async (
      { tx, caller, changed }: WriteWork,
      name: string,
      role: UserRole,
    ): Promise<{ readonly user: User; readonly warning: string | null }> => {
      const { workspace_id } = caller;
      const namesakes = await tx.users.named(workspace_id, name, MAX_NAMESAKES);
      const { user } = await openUser(tx, ids, { workspace_id, name, role });
      changed(null, user);
      return { user, warning: namesakes.length === 0 ? null : warningOf(name, namesakes) };
    },

    list: ({ tx, caller }: ReadWork, page: PageRequest): Promise<PageOf<User>> =>
      readPage(cursors, page, {
        name: `users:${caller.workspace_id}`,
        read: (part) => tx.users.list(caller.workspace_id, part),
      }),

    /** Gives a person another name or role. Who becomes a member loses the sessions and tokens that could administer. */
    update: async (
      work: WriteWork,
      id: UserId,
      { name, role }: { readonly name?: string | undefined; readonly role?: UserRole | undefined },
    ): Promise<User> => {
      const { tx, caller, changed } = work;
      const user = await mustBeActiveUser(work, id);
      if (role === 'member' && (id === caller.user_id || id === (await tx.settings.get(LOCAL_OWNER)))) {
        throw new ErrandError(
          'validation_error',
          'Neither you nor the owner of this installation can become a member.',
          {
            hint: 'Ask another admin to change your role.',
          },
        );
      }
      const after: User = { ...user, name: name ?? user.name, role: role ?? user.role };
      await mustSignInAlone(work, after);
      await tx.users.update(after);
      if (user.role === 'admin' && after.role === 'member') await tx.tokens.revokeWith(user, 'admin', tx.now);
      changed(user, after);
      return after;
    },

    setStatus: async ({ tx, caller, changed }: WriteWork, id: UserId, status: UserStatus): Promise<void> => {
      const user = await tx.users.find(caller.workspace_id, id);
      if (user === null) {
        throw new ErrandError('not_found', `No user ${id}.`, {
          hint: say`${{ call: 'admin_list_users' }} for names and ids.`,
        });
      }
      if (status === 'blocked' && id === caller.user_id) {
        throw new ErrandError('validation_error', 'You cannot block yourself.', {
          hint: 'Ask another admin to do it.',
        });
      }
      // Stdio and the command line act as the owner without a token, so a block would not stop them.
      if (status === 'blocked' && id === (await tx.settings.get(LOCAL_OWNER))) {
        throw new ErrandError('validation_error', 'The owner of this installation cannot be blocked.');
      }
      await tx.users.setStatus(caller.workspace_id, id, status);
      changed(user, { ...user, status });
    },
  };
}

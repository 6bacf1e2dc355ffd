/**
 * The operator's commands, which run either in the command itself on a file that no server uses, or in a running server
 * through its Unix socket. The socket is in the data folder with mode 600: access to it grants all of these commands.
 */
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type {
  ActionItem,
  ActionKinds,
  ActionResult,
  ApiKey,
  DeviceKey,
  PasswordLink,
  UserDetails,
} from '../../contract.ts';
import type { DeviceFormat } from '../../core/resources/device-export.ts';
import { problemResponse } from '../../core/http/problem-response.ts';
import { Problem, type Report } from '../../core/problem.ts';
import { operatorActor } from '../../core/limits/field-rules.ts';
import { rateTable } from '../../core/limits/limit-tables.ts';
import { quotaUsage, type CountedQuota, type Quota, type Quotas } from '../../core/limits/quotas.ts';
import type { Actions } from '../actions/actions.ts';
import type { Service } from '../../service/service.ts';
import type { SignIn } from '../../core/accounts/sign-in.ts';
import type { Finding } from '../../core/part.ts';
import type { OperatedUsers, UserQuery, UserRole } from './users.store.ts';

export type ImportItem = ActionItem<'import'>;

interface FailedLine {
  line: number;
  result: NonNullable<ActionResult>;
}

/** Null: no limit. `used`: what a user has of each quota. */
export interface Limits {
  rates: Record<string, number | null>;
  quotas: Record<Quota, number | null>;
  used?: Record<CountedQuota, number>;
}

interface OfName {
  name: string;
}
interface OfUser {
  user: string;
}

/** The requester of the operator's commands. No user waits for them. */
const requester = { user: operatorActor };

export type Operator = ReturnType<typeof createOperator>;

/** The operator's commands. Those about a user throw the problem `user.not_found`. */
export function createOperator(options: {
  signIn: SignIn;
  keys: Service['keys'];
  users: OperatedUsers;
  quotas: Quotas;
  /** The factor of all rate limits; Infinity for none. */
  rateLimit: number;
  examine: () => Promise<Finding[]>;
  usageOf: (userName: string) => Promise<Record<CountedQuota, number> | undefined>;
  endAccount: (userName: string) => Promise<void>;
  exportResources: (request: { userId: string; format: DeviceFormat }) => AsyncIterable<string | Uint8Array>;
  actions: Actions;
  /** What the commands of capabilities ask for. */
  ofCapabilities: Readonly<Record<string, (given: never) => Promise<unknown>>>;
}) {
  const {
    signIn,
    keys,
    users,
    quotas,
    rateLimit,
    examine,
    usageOf,
    endAccount,
    exportResources,
    actions,
    ofCapabilities,
  } = options;
  const { requireUser, sessions } = signIn;

  /** @throws Problem `user.not_found` */
  async function usedBy(userName: string): Promise<Record<CountedQuota, number>> {
    const used = await usageOf(userName);
    if (!used) throw new Problem('user.not_found');
    return used;
  }

  return {
    /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak`, `password.too_common` */
    addUser: ({ name, password }: OfName & { password: string }) => signIn.addUser({ userName: name, password }),
    /** @throws Problem `password.too_weak`, `password.too_common` */
    async setPassword({ name, password }: OfName & { password: string }) {
      if (!(await signIn.changePassword({ userName: name, password }))) throw new Problem('user.not_found');
    },
    /** Returns a page of users, by name. `q`: a part of the name; `after`: the last name of the page before. */
    listUsers: (query: UserQuery) => users.list({ ...query, requester }),
    async showUser({ name }: OfName): Promise<UserDetails> {
      const userName = await requireUser(name);
      const [found, used] = await Promise.all([users.find(userName), usedBy(userName)]);
      if (!found) throw new Problem('user.not_found');
      return { ...found, quotas: quotaUsage({ quotas, used }) };
    },
    /** The user is out on all processes within a second. */
    disableUser: async ({ name }: OfName) => users.disable(await requireUser(name)),
    /** Keys are valid again; sessions are not. */
    enableUser: async ({ name }: OfName) => users.enable(await requireUser(name)),
    /** A link by which the user chooses a new password. @throws Problem `user.no_password` */
    async createLink({ name }: OfName): Promise<PasswordLink> {
      const userName = await requireUser(name);
      const link = await signIn.createLink(userName);
      if (!link) throw new Problem('user.no_password');
      await users.noteLink(userName);
      return link;
    },
    /** Takes the authenticator app away and ends all sessions. @throws Problem `totp.not_found` */
    async removeApp({ name }: OfName) {
      const userName = await requireUser(name);
      await users.takeFactor(userName, signIn.takeFactor);
      await signIn.tell({ userName, change: 'totp_removed', userAgent: undefined });
    },
    /** An operator sees the page with all users. */
    setRole: async ({ name, role }: OfName & { role: UserRole }) =>
      users.setRole({ userName: await requireUser(name), role }),
    /** Deletes the account as its user would. */
    deleteUser: async ({ name }: OfName) => endAccount(await requireUser(name)),
    /** Ends all sessions of the user. */
    signOut: async ({ name }: OfName) => sessions.endOthers({ userName: await requireUser(name), currentId: '' }),
    /** Ends the sessions of all users. */
    signOutAll: () => sessions.endAll(),
    createKey: async ({ user, name }: OfUser & OfName) =>
      keys.mint({ userId: await requireUser(user), kind: 'own', name, actor: operatorActor }),
    /** A key that acts only for this device. @throws Problem `resource.not_found` */
    async createDeviceKey({ device: resourceId, name }: OfName & { device: string }) {
      const userId = await users.ownerOfDevice(resourceId);
      if (userId === undefined) throw new Problem('resource.not_found');
      return keys.mint({ userId, kind: 'own', name, actor: operatorActor, resourceId });
    },
    /** Oldest first; then those of devices, newest first. */
    async listKeys({ user }: OfUser): Promise<(ApiKey | DeviceKey)[]> {
      const userId = await requireUser(user);
      const [own, { items }] = await Promise.all([
        keys.list(userId),
        keys.ofDevices(userId, { most: Number.MAX_SAFE_INTEGER }),
      ]);
      return [...own, ...items];
    },
    /** @throws Problem `key.not_found` */
    async revokeKey({ id }: { id: string }) {
      const userId = await users.ownerOfKey(id);
      const isRevoked = userId !== undefined && (await keys.revoke({ userId, id, actor: operatorActor }));
      if (!isRevoked) throw new Problem('key.not_found');
    },
    /** What this server allows, and what the user has of it. */
    async readLimits({ user }: { user?: string | undefined }): Promise<Limits> {
      const used = user === undefined ? undefined : await usedBy(await requireUser(user));
      const rates = Object.entries(rateTable).map(([name, { most, per }]) => [
        `${name}_per_${per}`,
        orNull(most * rateLimit),
      ]);
      const allowed = Object.entries(quotas).map(([name, amount]) => [name, orNull(amount)] as const);
      return {
        rates: Object.fromEntries(rates),
        quotas: Object.fromEntries(allowed) as Limits['quotas'],
        ...(used && { used }),
      };
    },
    readStats: () => users.stats(requester),
    /** Examines the setup of the server. */
    examine,
    /**
     * Begins an action whose parts follow; without an id if there are no items. @throws Problem `action.too_many`, `action.too_many_items`
     */
    async beginImport(
      begun: OfUser & { about: ActionKinds['import']['about']; total: number },
    ): Promise<{ id?: string }> {
      const { user, about, total } = begun;
      const userId = await requireUser(user);
      return total > 0 ? actions.begin({ userId, kind: 'import', about, total }) : {};
    },
    /** Stores a part of its items: as many as in a part of the app, because each is parsed at once. @throws Problem `action.too_many_items` */
    putImportPart: async ({ user, ...part }: OfUser & { id: string; part: number; items: readonly ImportItem[] }) =>
      actions.putPart({ userId: await requireUser(user), ...part }),
    startImport: async ({ user, id }: OfUser & { id: string }) =>
      actions.start({ userId: await requireUser(user), id }),
    /** Deletes it if its items were not stored. */
    stopImport: async ({ user, id }: OfUser & { id: string }) => actions.stop({ userId: await requireUser(user), id }),
    /** How far it is. */
    readImport: async ({ user, id }: OfUser & { id: string }) => actions.read({ userId: await requireUser(user), id }),
    /** The lines that have failed among those of a part, of an import that has ended: in parts as they came, because each is one JSON text. */
    async readFailedLines({
      user,
      id,
      part,
    }: OfUser & { id: string; part: number }): Promise<{ failed: FailedLine[] }> {
      const failed = await actions.failedOfPart({ userId: await requireUser(user), id, part });
      return { failed: failed.map(({ item, result }) => ({ line: (item as ImportItem).line, result })) };
    },
    /** The app then shows it only in the user's activity. */
    endImport: async ({ user, id }: OfUser & { id: string }) =>
      actions.dismiss({ userId: await requireUser(user), id }),
    /** Returns the parts of a file with all devices of the user. */
    exportDevices: async ({ user, format }: OfUser & { format: DeviceFormat }) =>
      exportResources({ userId: await requireUser(user), format }),
    /** For the command of a capability. @throws Problem `route.not_found` if the server does not have it */
    async call({ command, given }: { command: string; given: object }): Promise<unknown> {
      const run = ofCapabilities[command];
      if (!run) throw new Problem('route.not_found');
      return run(given as never);
    },
  };
}

const orNull = (amount: number) => (Number.isFinite(amount) ? amount : null);

const isStream = (result: unknown): result is AsyncIterable<string | Uint8Array> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/**
 * `POST /<command>` with a JSON object, which is not validated: only the command itself has access to the socket. The
 * response is JSON, or a stream of text.
 */
export function operatorRoutes(options: { operator: Operator; report: Report; newId: () => string }): Hono {
  const { operator, report, newId } = options;
  const routes = new Hono();
  for (const command of Object.keys(operator) as (keyof Operator)[]) {
    routes.post(`/${command}`, async (c) => {
      const result: unknown = await operator[command](await c.req.json<never>());
      if (!isStream(result)) return c.json(result ?? {});
      return c.body(Readable.toWeb(Readable.from(result, { objectMode: false })) as ReadableStream);
    });
  }
  routes.onError((error, c) => problemResponse({ error, request: c.req.raw, bindings: { requestId: newId }, report }));
  routes.notFound(() => {
    throw new Problem('route.not_found');
  });
  return routes;
}

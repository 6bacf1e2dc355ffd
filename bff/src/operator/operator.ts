/**
 * The operator's commands, which run either in the command itself on a file that no server uses, or in a running server
 * through its Unix socket. The socket is in the data folder with mode 600: access to it grants all of these commands.
 */
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type {
  Action,
  ActionItem,
  ActionKinds,
  ActionResults,
  ApiKey,
  CreatedApiKey,
  ServerStats,
  UserDetails,
  UserPage,
} from '../contract.ts';
import { Problem, problemResponse, type Report } from '../http/problem.ts';
import type { Quota } from '../limits/quotas.ts';
import type { baseRates } from '../limits/rate.ts';
import type { Finding } from './doctor.ts';
import type { UserQuery, UserRole } from './users.store.ts';

export type ImportItem = ActionItem<'import'>;

/** Null: no limit. `used`: what a user has of each quota. */
export interface Limits {
  rates: Record<keyof typeof baseRates, number | null>;
  quotas: Record<Quota, number | null>;
  used?: Record<Quota, number>;
}

export interface Operator {
  /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak` */
  addUser(options: { name: string; password: string }): Promise<void>;
  /** @throws Problem `user.not_found`, `password.too_weak` */
  setPassword(options: { name: string; password: string }): Promise<void>;
  /** By name. `q`: a part of the name; `after`: the last name of the page before. */
  listUsers(query: UserQuery): Promise<UserPage>;
  /** @throws Problem `user.not_found` */
  showUser(options: { name: string }): Promise<UserDetails>;
  /** The user is out on all processes within a second. @throws Problem `user.not_found` */
  disableUser(options: { name: string }): Promise<void>;
  /** Keys are valid again; sessions are not. @throws Problem `user.not_found` */
  enableUser(options: { name: string }): Promise<void>;
  /** A link by which the user chooses a new password. @throws Problem `user.not_found`, `user.no_password` */
  createLink(options: { name: string }): Promise<{ url: string; expires_at: string }>;
  /** An operator sees the page with all users. @throws Problem `user.not_found` */
  setRole(options: { name: string; role: UserRole }): Promise<void>;
  /** Deletes the account as its user would. @throws Problem `user.not_found` */
  deleteUser(options: { name: string }): Promise<void>;
  /** Ends all sessions of the user. @throws Problem `user.not_found` */
  signOut(options: { name: string }): Promise<void>;
  /** Ends the sessions of all users. */
  signOutAll(): Promise<void>;
  /** @throws Problem `user.not_found` */
  createKey(options: { user: string; name: string }): Promise<CreatedApiKey>;
  /** @throws Problem `user.not_found` */
  listKeys(options: { user: string }): Promise<ApiKey[]>;
  /** @throws Problem `key.not_found` */
  revokeKey(options: { id: string }): Promise<void>;
  /** What this server allows, and what the user has of it. @throws Problem `user.not_found` */
  readLimits(options: { user?: string | undefined }): Promise<Limits>;
  readStats(): Promise<ServerStats>;
  /** Examines the setup of the server. */
  examine(): Promise<Finding[]>;
  /**
   * Starts an action; undefined without items.
   * @throws Problem `user.not_found`, `action.too_many`, `action.too_many_items`
   */
  startImport(options: {
    user: string;
    about: ActionKinds['import']['about'];
    items: ImportItem[];
  }): Promise<{ id?: string }>;
  /** How far it is. */
  readImport(options: { user: string; id: string }): Promise<Action>;
  /** Returns the failed items of an import that has ended. The app then shows it only in the user's activity. */
  endImport(options: { user: string; id: string }): Promise<ActionResults>;
  /**
   * Returns the parts of a file with all devices of the user.
   * @throws Problem `user.not_found`
   */
  exportDevices(options: { user: string; format: 'csv' | 'geojson' }): Promise<AsyncIterable<string>>;
  /**
   * Creates a demo. `made` is false if it existed.
   * @throws Problem `user.not_found`
   */
  makeDemo(options: { user: string }): Promise<{ made: boolean }>;
  /** @throws Problem `user.not_found` */
  removeDemo(options: { user: string }): Promise<void>;
}

/**
 * `POST /<command>` with a JSON object, which is not validated: only the command itself has access to the socket. The
 * response is JSON, or a stream of text.
 */
export function operatorRoutes(options: { operator: Operator; report: Report; newId: () => string }): Hono {
  const { operator, report, newId } = options;
  const routes = new Hono();
  for (const command of Object.keys(operator) as (keyof Operator)[]) {
    routes.post(`/${command}`, async (c) => {
      const result = await operator[command](await c.req.json<never>());
      if (!result || !(Symbol.asyncIterator in result)) return c.json(result ?? {});
      return c.body(Readable.toWeb(Readable.from(result, { objectMode: false })) as ReadableStream);
    });
  }
  routes.onError((error, c) => problemResponse({ error, request: c.req.raw, bindings: { requestId: newId }, report }));
  routes.notFound(() => {
    throw new Problem('route.not_found');
  });
  return routes;
}

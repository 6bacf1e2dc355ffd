/**
 * The operator's commands, which run either in the command itself on a file that no server uses, or in a running server
 * through its Unix socket. The socket is in the data folder with mode 600: access to it grants all of these commands.
 */
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { Action, ActionItem, ActionKinds, ActionResults, CreatedApiKey } from '../contract.ts';
import { Problem, problemResponse, type Report } from '../http/problem.ts';

export type ImportItem = ActionItem<'import'>;

export interface Operator {
  /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak` */
  addUser(options: { name: string; password: string }): Promise<void>;
  /** @throws Problem `user.not_found`, `password.too_weak` */
  setPassword(options: { name: string; password: string }): Promise<void>;
  /** @throws Problem `user.not_found` */
  createKey(options: { user: string; name: string }): Promise<CreatedApiKey>;
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
  routes.onError((error, c) => problemResponse({ error, requestId: newId(), request: c.req.raw, report }));
  routes.notFound(() => {
    throw new Problem('route.not_found');
  });
  return routes;
}

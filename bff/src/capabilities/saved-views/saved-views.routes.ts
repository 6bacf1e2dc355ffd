/**
 * Filters and map views that users save under a name, as URLs of the app. The app ignores parameters that it does not
 * know. Access is checked when a view is opened.
 */
import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { Core } from '../../core/capability.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { codePoints, visible } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import { fold, nameKey } from '../../core/store/search-text.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';
import type { SavedView, SavedViews } from './contract.ts';
import { savedViewLimits } from './rules.ts';
import { addSavedView, changeSavedView, readSavedViews, removeSavedView } from './saved-views.store.ts';

const name = z
  .string()
  .overwrite((text) => text.replaceAll(/\s+/gu, ' ').trim())
  .refine(
    (text) => codePoints(text) <= savedViewLimits.nameLength,
    `must have at most ${savedViewLimits.nameLength} characters`,
  )
  .refine((text) => visible.test(text), 'must have at least one visible character');
/** The pages that can be saved, with their parameters. Nothing else, because a view is opened as a link. */
const url = z
  .string()
  .max(queryLimits.viewLength)
  .regex(/^\/(map|swarms\/[\w-]{1,64}\/map)?(\?[^?#]*)?$/, 'must be /, /map or /swarms/<id>/map, with parameters');
const newBody = z.strictObject({ name, url });
const changeBody = z.strictObject({ name: name.optional(), url: url.optional() });

/** `/api/saved-views`: GET and POST, and PUT and DELETE of one. A POST of a view that exists, with this name and URL, answers with it. */
export function savedViewRoutes(core: Core): Hono {
  const { db, readsOf, quotas, now, newId, userOf } = core;
  const routes = new Hono();
  const noStore = { 'cache-control': 'no-store' };
  const keysOf = (text: string) => ({ name: text, name_folded: fold(text), name_key: nameKey(text) });
  /** Up to 200 long URLs: users take turns. */
  const readAll = (c: Context, user: string) =>
    readSavedViews({ db: readsOf({ user, signal: c.req.raw.signal }), user });
  const read = async (user: string, id: string) => {
    const [view] = await readSavedViews({ db, user, id });
    if (!view) throw new Problem('saved_view.not_found');
    return view;
  };

  routes.get('/saved-views', async (c) => {
    const items = await readAll(c, userOf(c));
    return c.json<SavedViews>(
      { items, limit: Number.isFinite(quotas.saved_views) ? quotas.saved_views : null },
      200,
      noStore,
    );
  });

  routes.post('/saved-views', async (c) => {
    const user = userOf(c);
    const { body } = await readJsonBody(c, newBody);
    const id = newId();
    const view = { id, user_id: user, ...keysOf(body.name), url: body.url, created_at: now().toISOString() };
    try {
      await addSavedView({ db, quotas, view });
    } catch (error) {
      // Sent again, because the answer was lost.
      const same = (await readAll(c, user)).find(({ name, url }) => name === body.name && url === body.url);
      if (!same) throw error;
      return c.json<SavedView>(same, 200, noStore);
    }
    return c.json<SavedView>(await read(user, id), 201, noStore);
  });

  routes.put('/saved-views/:id', async (c) => {
    const user = userOf(c);
    const id = c.req.param('id');
    const { body } = await readJsonBody(c, changeBody);
    const change = {
      ...(body.name !== undefined && keysOf(body.name)),
      ...(body.url !== undefined && { url: body.url }),
    };
    await changeSavedView({ db, change: { id, user_id: user, ...change, updated_at: now().toISOString() } });
    return c.json<SavedView>(await read(user, id), 200, noStore);
  });

  routes.delete('/saved-views/:id', async (c) => {
    await removeSavedView({ db, id: c.req.param('id'), user_id: userOf(c) });
    return c.body(null, 204);
  });
  return routes;
}

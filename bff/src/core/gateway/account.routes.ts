import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import {
  attempt,
  resourceCreate,
  type Account,
  type AccountKeys,
  type CreatedApiKey,
  type Session,
} from '../../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { Problem } from '../problem.ts';
import { keyScopes, limits } from '../limits/field-rules.ts';
import type { LongReads } from '../limits/long-reads.ts';
import { quotaUsage, type Quotas } from '../limits/quotas.ts';
import type { Service } from '../../service/service.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { Database } from '../store/database.ts';
import { readUsage, endAccount } from './account.store.ts';
import type { GatewayEnv } from './gateway-env.ts';

/** The functions of other modules for the account page. */
export interface AccountOptions {
  db: Database;
  readsOf: LongReads;
  quotas: Quotas;
  streams: Pick<EventStreams, 'count'>;
  keys: Pick<Service['keys'], 'list' | 'ofDevices' | 'mint' | 'revoke'>;
  sessions: Pick<SignIn['sessions'], 'list' | 'end' | 'endOthers'>;
  requireConfirmed: SignIn['requireConfirmed'];
  secondFactors: Pick<SignIn['secondFactors'], 'has'>;
  clearedSessionCookie: SignIn['clearedSessionCookie'];
  /** Called after the account was deleted: clears caches and deletes what the user owned. */
  onEnded(userName: string): Promise<void>;
}

const keyBody = z.strictObject({
  name: resourceCreate.shape.name,
  scope: z.enum(keyScopes).default('all'),
  attempt: attempt.optional(),
});
const text = z.string().max(limits.textLength);
const deleteBody = z.strictObject({ user_id: text });

/** `/api/account`: the profile, keys and sessions of the user. */
export function accountRoutes(options: AccountOptions): Hono<GatewayEnv> {
  const { db, readsOf, quotas, streams, keys, sessions, requireConfirmed, clearedSessionCookie, onEnded } = options;
  const routes = new Hono<GatewayEnv>();

  routes.use((c, next) => {
    // Before the response is made: it would be made again for another header.
    c.header('cache-control', 'no-store');
    return next();
  });

  routes.get('/', async (c) => {
    const { userName, sessionId, expiresAt, isLimited } = c.env.session;
    const owned = await readUsage({ db: readsOf({ user: userName, signal: c.req.raw.signal }), userName });
    if (!owned) throw new Problem('session.missing');
    const { created_at, role, unstored_codes, counts } = owned;
    const used = { ...counts, streams: streams.count(userName) };
    return c.json<Account>({
      user_id: userName,
      ...(role && { role }),
      created_at,
      resources: used.resources,
      swarms_owned: used.swarms,
      quotas: quotaUsage({ quotas, used }),
      session_id: sessionId,
      session_expires_at: expiresAt.toISOString(),
      ...(unstored_codes > 0 && { unstored_codes: true }),
      ...(isLimited && { second_factor: (await options.secondFactors.has(userName)) ? 'confirm' : 'set_up' }),
    });
  });

  routes.delete('/', async (c) => {
    const { userName } = c.env.session;
    const precondition = requireConfirmed(c.env.session);
    const { body } = await readJsonBody(c, deleteBody);
    if (body.user_id !== userName) {
      const detail = 'is not the user name of this account';
      const errors = [{ pointer: '/user_id', code: 'account.confirmation_wrong', detail }];
      throw new Problem('account.confirmation_wrong', { errors });
    }
    if (!(await endAccount({ db, userName, precondition }))) throw new Problem('session.missing');
    await onEnded(userName);
    return c.body(null, 204, { 'set-cookie': clearedSessionCookie });
  });

  routes.get('/keys', async (c) => {
    const { userName } = c.env.session;
    const reads = readsOf({ user: userName, signal: c.req.raw.signal });
    const [items, device_keys] = await Promise.all([keys.list(userName), keys.ofDevices(userName, { reads })]);
    return c.json<AccountKeys>({ items, device_keys });
  });

  routes.post('/keys', async (c) => {
    const { userName } = c.env.session;
    requireConfirmed(c.env.session);
    const { body } = await readJsonBody(c, keyBody);
    return c.json<CreatedApiKey>(await keys.mint({ userId: userName, kind: 'own', ...body }), 201);
  });

  routes.delete('/keys/:id', async (c) => {
    requireConfirmed(c.env.session);
    const revoked = await keys.revoke({ userId: c.env.session.userName, id: c.req.param('id') });
    if (!revoked) throw new Problem('key.not_found');
    return c.body(null, 204);
  });

  routes.get('/sessions', async (c) => {
    const { userName, sessionId } = c.env.session;
    return c.json<{ items: Session[] }>({ items: await sessions.list({ userName, currentId: sessionId }) });
  });

  routes.delete('/sessions', async (c) => {
    const { userName, sessionId } = c.env.session;
    requireConfirmed(c.env.session);
    await sessions.endOthers({ userName, currentId: sessionId });
    return c.body(null, 204);
  });

  routes.delete('/sessions/:id', async (c) => {
    const { userName, sessionId } = c.env.session;
    const id = c.req.param('id');
    if (id !== sessionId) requireConfirmed(c.env.session);
    if (!(await sessions.end({ userName, sessionId: id }))) throw new Problem('session.not_found');
    return c.body(null, 204, id === sessionId ? { 'set-cookie': clearedSessionCookie } : {});
  });
  return routes;
}

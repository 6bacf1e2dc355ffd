import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import type { PasswordLink } from '../../contract.ts';
import { readJsonBody } from '../../core/http/json-body.ts';
import { Problem } from '../../core/problem.ts';
import { oneOf, paramsOf, readQuery, wholeNumber } from '../../core/http/query.ts';
import type { Log } from '../../core/log.ts';
import type { SignIn } from '../../core/accounts/sign-in.ts';
import type { Operator } from './operator.ts';
import type { OperatedUsers } from './users.store.ts';
import { queryLimits } from '../../core/limits/part-limits.ts';

const name = z.string().max(64);
const listQuery = z.object({
  q: name.optional(),
  state: oneOf(['disabled']).optional(),
  after: name.optional(),
  limit: wholeNumber({ least: 1, most: queryLimits.page }).optional(),
});
const linkBody = z.strictObject({});
const actions = { disable: 'disableUser', enable: 'enableUser', 'sign-out': 'signOut' } as const;

type OperatorSession = Parameters<SignIn['requireConfirmed']>[0];

/** The page of users with the role `operator`. Only a link for a lost password creates access. */
export function operatorPageRoutes(options: {
  operator: Pick<Operator, 'showUser' | 'disableUser' | 'enableUser' | 'signOut'>;
  signIn: Pick<SignIn, 'requireUser' | 'createLink' | 'requireConfirmed'>;
  users: Pick<OperatedUsers, 'list' | 'stats' | 'isOperator' | 'noteLink'>;
  sessionOf: (c: Context) => OperatorSession;
  log: Pick<Log, 'info'>;
}): Hono {
  const { operator, signIn, users, sessionOf, log } = options;
  const userOf = (c: Context) => sessionOf(c).userName;
  const routes = new Hono();
  const requesterOf = (c: Context) => ({ user: userOf(c), signal: c.req.raw.signal });

  routes.use('/operator/*', async (c, next) => {
    if (!(await users.isOperator(userOf(c)))) throw new Problem('operator.required');
    await next();
    c.header('cache-control', 'no-store');
  });

  routes.get('/operator/users', async (c) => {
    const { state, ...query } = readQuery(paramsOf(c.req), listQuery);
    return c.json(await users.list({ ...query, disabled: state === 'disabled', requester: requesterOf(c) }));
  });
  routes.get('/operator/users/:name', async (c) => c.json(await operator.showUser({ name: c.req.param('name') })));
  routes.get('/operator/stats', async (c) => c.json(await users.stats(requesterOf(c))));

  for (const [action, command] of Object.entries(actions)) {
    routes.post(`/operator/users/:name/${action}`, async (c) => {
      const user = c.req.param('name');
      await operator[command]({ name: user });
      log.info('operator', { operator: userOf(c), action, user });
      return c.body(null, 204);
    });
  }
  // An open session is not enough, because this gives access to the account of another user.
  routes.post('/operator/users/:name/link', async (c) => {
    const session = sessionOf(c);
    const lives = signIn.requireConfirmed(session);
    await readJsonBody(c, linkBody);
    const by = session.userName;
    const user = await signIn.requireUser(c.req.param('name'));
    if (await users.isOperator(user)) throw new Problem('user.is_operator');
    const link = await signIn.createLink(user);
    if (!link) throw new Problem('user.no_password');
    await users.noteLink(user, { operator: by, lives });
    log.info('operator', { operator: by, action: 'link', user });
    return c.json<PasswordLink>(link, 201);
  });
  return routes;
}

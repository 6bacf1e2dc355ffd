import { z } from '@hono/zod-openapi';
import { Hono, type Context } from 'hono';
import { Problem } from '../problem.ts';
import { oneOf, paramsOf, readQuery, wholeNumber } from '../http/query.ts';
import type { Log } from '../log.ts';
import type { Operator } from './operator.ts';
import type { UserList } from './users.store.ts';

const name = z.string().max(64);
const listQuery = z.object({
  q: name.optional(),
  state: oneOf(['disabled']).optional(),
  after: name.optional(),
  limit: wholeNumber({ least: 1, most: 200 }).optional(),
});
const actions = { disable: 'disableUser', enable: 'enableUser', 'sign-out': 'signOut' } as const;

/** The page of users with the role `operator`. It has nothing that creates access. */
export function operatorPageRoutes(options: {
  operator: Pick<Operator, 'showUser' | 'disableUser' | 'enableUser' | 'signOut'>;
  users: Pick<UserList, 'list' | 'stats' | 'isOperator'>;
  userOf: (c: Context) => Promise<string>;
  log: Pick<Log, 'info'>;
}): Hono {
  const { operator, users, userOf, log } = options;
  const routes = new Hono();
  const requesterOf = async (c: Context) => ({ user: await userOf(c), signal: c.req.raw.signal });

  routes.use('/operator/*', async (c, next) => {
    if (!(await users.isOperator(await userOf(c)))) throw new Problem('operator.required');
    await next();
    c.header('cache-control', 'no-store');
  });

  routes.get('/operator/users', async (c) => {
    const { state, ...query } = readQuery(paramsOf(c.req), listQuery);
    return c.json(await users.list({ ...query, disabled: state === 'disabled', requester: await requesterOf(c) }));
  });
  routes.get('/operator/users/:name', async (c) => c.json(await operator.showUser({ name: c.req.param('name') })));
  routes.get('/operator/stats', async (c) => c.json(await users.stats(await requesterOf(c))));

  for (const [action, command] of Object.entries(actions)) {
    routes.post(`/operator/users/:name/${action}`, async (c) => {
      const user = c.req.param('name');
      await operator[command]({ name: user });
      log.info('operator', { operator: await userOf(c), action, user });
      return c.body(null, 204);
    });
  }
  return routes;
}

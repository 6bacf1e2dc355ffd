import { Hono } from 'hono';
import type { Context } from 'hono';
import type { Demo } from '../contract.ts';
import { Problem } from '../http/problem.ts';

/**
 * `/api/demo`: GET returns whether there is a demo, POST creates it (201; 200 if it exists), DELETE removes it (204).
 */
export function demoRoutes(options: {
  userOf: (c: Context) => Promise<string>;
  demo: {
    read(userName: string): Promise<Demo>;
    make(userName: string): Promise<boolean>;
    remove(userName: string): Promise<void>;
  };
}): Hono {
  const { userOf, demo } = options;
  const routes = new Hono();
  const noStore = { 'cache-control': 'no-store' };

  routes.get('/demo', async (c) => c.json<Demo>(await demo.read(await userOf(c)), 200, noStore));
  routes.post('/demo', async (c) => {
    const user = await userOf(c);
    const made = await demo.make(user);
    return c.json<Demo>(await demo.read(user), made ? 201 : 200, noStore);
  });
  routes.delete('/demo', async (c) => {
    await demo.remove(await userOf(c));
    return c.body(null, 204);
  });
  routes.all('/demo', () => {
    throw new Problem('route.method_not_allowed', { headers: { allow: 'GET, HEAD, POST, DELETE' } });
  });
  return routes;
}

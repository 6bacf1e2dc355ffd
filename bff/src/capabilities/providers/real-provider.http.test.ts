// stores: SQLite, PostgreSQL in the long run
/** Sign-in by a real provider, on three processes. */
import { expect, test, vi } from 'vitest';
import { createTestServer, origin } from '../../tests/test-server.fixture.ts';
import { startRealProvider, visitAs } from '../../tests/real-provider.fixture.ts';

test.each([
  ['', false],
  [', also if the provider requires pushed requests', true],
])('each of three processes goes on with a sign-in that another one began%s', async (_case, onlyPushed) => {
  // It says that it is not set up for production.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await using home = await startRealProvider('home', { onlyPushed });
  home.allow(origin);
  const operator = { claim: 'groups', value: 'operators' };
  const settings = { name: 'home', label: 'Home', scope: 'openid profile', operator };
  const { issuer, clientId, clientSecret } = home;
  await using server = await createTestServer({
    oidcProviders: [{ ...settings, issuer, clientId, clientSecret }],
  });
  const others = [await server.startAnother(server.db), await server.startAnother(server.db)];
  const processes = [server.app, ...others];
  const cookieOf = (answer: Response, name: string) =>
    answer.headers
      .getSetCookie()
      .find((set) => set.startsWith(`__Host-swarmdeck.${name}`))!
      .split(';')[0]!;
  const ask = (index: number, path: string, cookie = '', body?: object) =>
    processes[index]!.fetch(
      new Request(`${origin}${path}`, {
        headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
  /** Begins on one process and comes back to another one. */
  async function signIn(user: string, from: number, to: number) {
    const begun = await ask(from, '/auth/oidc/home?next=/swarms');
    const path = await visitAs(user, begun.headers.get('location')!, origin);
    return ask(to, path, cookieOf(begun, 'provider'));
  }

  const came = await signIn('operator-ann', 0, 1);
  expect(came.headers.get('location')).toBe('/sign-in?named=no&next=%2Fswarms');
  const newcomer = cookieOf(came, 'newcomer');
  expect(await (await ask(2, '/auth/sign-up/identity', newcomer)).json()).toEqual({
    provider: 'home',
    user_id: 'operator-ann',
  });
  const created = await ask(2, '/auth/sign-up/identity', newcomer, { username: 'ann' });
  expect(created.status).toBe(201);
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const) {
    const known = await signIn('operator-ann', from, to);
    expect(known.headers.get('location')).toBe('/swarms');
    const account = await ask(from, '/api/account', cookieOf(known, 'session'));
    expect(await account.json()).toMatchObject({ user_id: 'ann', role: 'operator' });
  }
  for (const app of others) await app.close();
});

import { expect, serverTest, test } from '../fixtures.ts';

const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types default";

const json = { 'content-type': 'application/json' };

/** One of every kind of response: page, asset, unknown path, API reference, public endpoint, problem of each module. */
const answers: { what: string; path: string; status: number; init?: RequestInit }[] = [
  { what: 'the app', path: '/', status: 200 },
  { what: 'a page of the app', path: '/devices/unknown', status: 200 },
  { what: 'a path that is no page of the app', path: '/.well-known/none', status: 404 },
  { what: 'a link that was rewritten', path: '/view%23code', status: 302 },
  { what: 'the first-paint script', path: '/boot.js', status: 200 },
  { what: 'an asset that is not there', path: '/assets/none.js', status: 404 },
  { what: 'the app, by a method it does not have', path: '/', status: 405, init: { method: 'POST' } },
  { what: 'the docs', path: '/docs', status: 200 },
  { what: 'the OpenAPI document', path: '/service/openapi.json', status: 200 },
  { what: 'health', path: '/healthz', status: 200 },
  { what: 'readiness', path: '/readyz', status: 200 },
  { what: 'the sign-in options', path: '/auth/options', status: 200 },
  { what: 'an unknown path of sign-in', path: '/auth/none', status: 404 },
  { what: 'the service without a key', path: '/service/resources', status: 401 },
  {
    what: 'the service with a key that is none',
    path: '/service/resources',
    status: 401,
    init: { headers: { 'x-serviceapikey': 'swb_none' } },
  },
  { what: 'the gateway without a session', path: '/api/resources', status: 401 },
  { what: 'a view without a session', path: '/api/devices', status: 401 },
  { what: 'a tile without a session', path: '/api/tiles/0/0/0', status: 401 },
  {
    what: 'a write from another origin',
    path: '/auth/sign-out',
    status: 403,
    init: { method: 'POST', headers: { ...json, origin: 'https://elsewhere.example' }, body: '{}' },
  },
];

test.describe('every kind of response has the security headers', () => {
  for (const { what, path, status, init } of answers) {
    serverTest(what, async ({ server }) => {
      const answer = await fetch(server.origin + path, { redirect: 'manual', ...init });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-security-policy')).toBe(contentPolicy);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBeTruthy();
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(
        [...answer.headers.keys()].filter((name) => /^access-control-|^x-powered-by$|^server$/.test(name)),
      ).toEqual([]);
    });
  }

  test('a response to a signed-in user is not cached', async ({ page, user }) => {
    await user.add({ name: 'Buoy 1', machine_type: 'bug' });
    const answer = await page.request.get('/api/resources');
    expect(answer.status()).toBe(200);
    expect(answer.headers()['content-security-policy']).toBe(contentPolicy);
    expect(answer.headers()['cache-control']).toMatch(/no-store|private/);
  });
});

for (const path of ['/', '/view', '/docs'])
  serverTest(`${path} makes neither code nor HTML of text`, async ({ browser, server }) => {
    const page = await browser.newPage();
    await page.goto(server.origin + path);
    const taken = await page.evaluate(() => {
      const text = '<img src="x">';
      const uses: Record<string, () => unknown> = {
        innerHTML: () => (document.createElement('p').innerHTML = text),
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', text),
        write: () => document.write(text),
        parser: () => new DOMParser().parseFromString(text, 'text/html'),
        frame: () => (document.createElement('iframe').srcdoc = text),
        script: () => (document.createElement('script').text = 'alert(1)'),
        'script of another file': () => (document.createElement('script').src = '/service/openapi.json'),
        worker: () => new Worker('/service/openapi.json'),
        policy: () =>
          (
            globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
          ).trustedTypes.createPolicy('mine', {}),
      };
      return Object.keys(uses).filter((name) => {
        try {
          uses[name]!();
          return true;
        } catch (error) {
          return !(error instanceof TypeError);
        }
      });
    });
    expect(taken).toEqual([]);
    await page.close();
  });

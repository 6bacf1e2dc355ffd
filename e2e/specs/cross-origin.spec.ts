import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, serverTest } from '../fixtures.ts';
import { startServer } from '../server.ts';
import { signUp } from '../user.ts';

/** A page of another origin, which has nothing but its address. */
async function startPage() {
  const server = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => server.close(resolve)) };
}

serverTest(
  'a page of a named origin uses the service with a key, and nothing else of it',
  { tag: ['@long', '@once'] },
  async ({ browser }) => {
    const site = await startPage();
    const named = `http://localhost:${site.port}`;
    const server = await startServer({ env: { CORS_ORIGINS: named } });
    const context = await browser.newContext();
    const user = await signUp({ request: context.request, origin: server.origin });
    const buoy = await user.add({ name: 'Fairway buoy', machine_type: 'bug' });
    const asked = { base: `${server.origin}/service`, key: await user.createKey('board'), id: buoy.id };
    const page = await context.newPage();

    await page.goto(named);
    const seen = await page.evaluate(async ({ base, key, id }) => {
      const headers = { 'x-serviceapikey': key };
      const found = await fetch(`${base}/resources/${id}`, { headers });
      const etag = found.headers.get('etag')!;
      const events = await fetch(`${base}/events`, { headers: { ...headers, 'last-event-id': 'none' } });
      const changed = await fetch(`${base}/resources/${id}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify({ name: 'Fairway buoy 7' }),
      });
      const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('Fairway buoy 7')) text += (await reader.read()).value ?? '';
      await reader.cancel();
      const missing = await fetch(`${base}/resources/none`, { headers });
      return { etag, status: changed.status, code: ((await missing.json()) as { code: string }).code };
    }, asked);
    expect(seen).toEqual({ etag: '"1"', status: 200, code: 'resource.not_found' });

    const refused = async () =>
      page.evaluate(async ({ base, key }) => {
        const isRefused = (url: string, init: RequestInit) =>
          fetch(url, init).then(
            () => false,
            () => true,
          );
        const api = base.replace('/service', '/api');
        return {
          withKey: await isRefused(`${base}/resources`, { headers: { 'x-serviceapikey': key } }),
          withCookie: await isRefused(`${base}/resources`, { credentials: 'include' }),
          ofTheApp: await isRefused(`${api}/resources`, { credentials: 'include' }),
        };
      }, asked);
    await expect.poll(refused).toEqual({ withKey: false, withCookie: true, ofTheApp: true });
    // The same page by another name is of another origin.
    await page.goto(`http://127.0.0.1:${site.port}`);
    await expect.poll(refused).toEqual({ withKey: true, withCookie: true, ofTheApp: true });

    await context.close();
    await server.stop();
    await site.stop();
  },
);

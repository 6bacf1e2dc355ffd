import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServer } from './server.ts';

/** Which requests are sent to the sign-in. */
type Closed = 'nothing' | 'everything' | 'requests';

/** A server behind a proxy with a sign-in on another site, as many have before all of their services. */
export async function startGate() {
  let closed: Closed = 'nothing';
  let target = '';
  let pages = 0;
  let refused = 0;
  // Entering a name is left out: its link signs in, and goes back to where the browser came from.
  const login = await listening(({ url = '' }, response) => {
    const to = new URL(url, 'http://login.test').searchParams.get('to') ?? '';
    if (url.startsWith('/done')) {
      closed = 'nothing';
      return response.writeHead(302, { location: to }).end();
    }
    const link = `<a href="/done?to=${encodeURIComponent(to)}">Sign in</a>`;
    return response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>The company</h1>${link}`);
  });
  const gate = await listening((asked, response) => {
    const isPage = asked.headers['sec-fetch-mode'] === 'navigate';
    if (isPage) pages += 1;
    if (closed === 'everything' || (closed === 'requests' && !isPage && /^\/(api|auth)\//.test(asked.url!))) {
      asked.resume();
      refused += 1;
      const to = encodeURIComponent(gate.origin + asked.url);
      return response.writeHead(302, { location: `${login.origin}/?to=${to}` }).end();
    }
    const { method, url, headers } = asked;
    const forwarded = request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    return asked.pipe(forwarded);
  });
  const server = await startServer({ env: { PUBLIC_URL: gate.origin } });
  target = server.origin;
  return {
    origin: gate.origin,
    /** From now on, a sign-in is asked for. Signing in ends that. */
    close: (what: Exclude<Closed, 'nothing'> = 'everything') => void (closed = what),
    /** How many pages it was asked for, and how many requests it has sent elsewhere. */
    counts: () => ({ pages, refused }),
    async [Symbol.asyncDispose]() {
      gate.stop();
      login.stop();
      await server.stop();
    },
  };
}

async function listening(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

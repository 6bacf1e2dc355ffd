/** A real provider of OpenID Connect (`oidc-provider`), with its own pages. Entering a name signs in as that user. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface RealProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The origin whose users it signs in. */
  allow(origin: string): void;
}

/** `onlyPushed`: it refuses a browser whose request was not pushed to it before. */
export async function startRealProvider(name: string, { onlyPushed = false } = {}): Promise<RealProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['swarmdeck', 'a secret of the client, of many characters'];
  let handle: ReturnType<Provider['callback']> | undefined;
  server.on('request', (request, response) => void handle?.(request, response));
  return {
    issuer,
    clientId,
    clientSecret,
    allow(origin) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${origin}/auth/oidc/${name}/callback`],
            post_logout_redirect_uris: [`${origin}/sign-in`],
          },
        ],
        claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['a key of the cookies'] },
        findAccount: (_, id) => ({
          accountId: id,
          claims: () => ({ sub: id, preferred_username: id, groups: id.startsWith('operator') ? ['operators'] : [] }),
        }),
        features: {
          pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: onlyPushed },
        },
        pkce: { required: () => true },
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      });
      handle = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a browser does at the provider: signs in as this user and agrees. Returns the path of the callback. */
export async function visitAs(user: string, url: string, origin: string): Promise<string> {
  const cookies = new Map<string, string>();
  const ask: (to: string, body?: URLSearchParams) => Promise<Response> = async (to, body) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(to, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [key = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
      if (value === '') cookies.delete(key);
      else cookies.set(key, value);
    }
    return answer;
  };
  let to = url;
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 12 && !to.startsWith(origin); steps += 1) {
    const answer = await ask(to, body);
    const next = answer.headers.get('location');
    body = undefined;
    if (next !== null) {
      to = new URL(next, to).href;
      continue;
    }
    const page = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`no form of the provider: ${page.slice(0, 500)}`);
    to = new URL(/action="([^"]+)"/.exec(page)![1]!, to).href;
    body = new URLSearchParams(prompt === 'login' ? { prompt, login: user, password: 'x' } : { prompt });
  }
  return to.slice(origin.length);
}

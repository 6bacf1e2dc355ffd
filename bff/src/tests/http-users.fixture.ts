import { createServiceClient, type ServiceClient } from './service-client.fixture.ts';
import { cookieOf, createSender, sameOrigin, signUp } from './process.fixture.ts';

export interface HttpTestUser {
  /** Requests over HTTP with a key. */
  device: ServiceClient;
  /** Requests over HTTP with a session. */
  browser: ServiceClient;
  deleteAccount(): Promise<Response>;
  /** The credential headers of both ways. */
  proof: Record<'device' | 'browser', Record<string, string>>;
}

/** Signs up a user at a real server, with separate connections for both ways. */
export async function signUpOverHttp(origin: string, name: string): Promise<HttpTestUser> {
  const send = createSender(origin);
  const signedUp = await signUp({ send, name });
  if (signedUp.status >= 300) throw new Error(signedUp.body);
  const cookie = { ...sameOrigin, cookie: cookieOf(signedUp) };
  const entryPoint = (mount: string, proof: Record<string, string>) =>
    createServiceClient(name, async ({ method = 'GET', path, body, headers = {} }) => {
      const answer = await send({ method, path: `${mount}${path}`, body, headers: { ...proof, ...headers } });
      return new Response(answer.body === '' ? null : answer.body, {
        status: answer.status,
        headers: answer.headers as Record<string, string>,
      });
    });
  const made = await send({ method: 'POST', path: '/api/account/keys', body: { name: 'test' }, headers: cookie });
  const { key } = JSON.parse(made.body) as { key: string };
  const proof = { device: { 'x-serviceapikey': key }, browser: cookie };
  const browser = entryPoint('/api', proof.browser);
  return {
    device: entryPoint('/service', proof.device),
    browser,
    proof,
    deleteAccount: () => browser.request({ method: 'DELETE', path: '/account', body: { user_id: name } }),
  };
}

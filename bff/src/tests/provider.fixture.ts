/** A provider of single sign-on that a test can make slow, break and let lie. */
import { createHash, createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function newKey(kid: string = randomUUID()): Key {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

/** Of all providers: to make one takes longer than most tests. */
const firstKey = newKey();

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function signedToken(options: { claims: object; key: Key; header?: object }): string {
  const { claims, key, header } = options;
  const content = `${base64({ alg: 'RS256', kid: key.kid, ...header })}.${base64(claims)}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key.privateKey, 'base64url')}`;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

export async function startProvider({ clientId = 'swarmdeck', clientSecret = 'a client secret' } = {}) {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = {
    issuer,
    clientId,
    clientSecret,
    /** It signs with the first one, and publishes all. */
    keys: [firstKey],
    /** Added to what it says of itself, of the user, and of the user's profile. */
    description: {} as Record<string, unknown>,
    claims: {} as Record<string, unknown>,
    profile: {} as Record<string, unknown>,
    /** Makes the token of these claims. */
    sign: (claims: object): string => signedToken({ claims, key: provider.keys[0]! }),
    /** Replaces its answer at a path. */
    answers: {} as Record<string, Answer>,
    /** The paths that it was asked for. */
    asked: [] as string[],
    /** The user signs in there. Returns the query with which the browser comes back. */
    visit(url: string): string {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      codes.set(code, searchParams);
      return `?${new URLSearchParams({ code, state: searchParams.get('state')!, iss: issuer }).toString()}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const codes = new Map<string, URLSearchParams>();

  function tokensOf(body: URLSearchParams, authorization: string) {
    const asked = codes.get(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const credentials = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`).toString('base64')}`;
    const isRight =
      asked?.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === body.get('redirect_uri') &&
      authorization === credentials;
    codes.delete(body.get('code') ?? '');
    if (!isRight) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      sub: 'ann of the provider',
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce'),
      ...provider.claims,
    };
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: provider.sign(claims) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url!;
    provider.asked.push(path);
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const own = provider.answers[path];
    if (own) return own(request, response);
    if (path === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/profile`,
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...provider.description,
      });
    if (path === '/keys')
      return json({
        keys: provider.keys.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' })),
      });
    if (path === '/profile') return json({ sub: provider.claims['sub'] ?? 'ann of the provider', ...provider.profile });
    if (path !== '/token') return json({}, 404);
    const tokens = tokensOf(new URLSearchParams(await text(request)), request.headers.authorization ?? '');
    return tokens ? json(tokens) : json({ error: 'invalid_grant' }, 400);
  }

  return provider;
}

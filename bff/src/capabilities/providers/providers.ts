/** Providers of single sign-on (OpenID Connect): what is asked of them, and what they may answer. */
import type * as client from 'openid-client';
import type { OidcProvider } from '../../core/config/oidc-settings.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { providerLimits } from './limits.ts';
import { Problem } from '../../core/problem.ts';

const discoveredForMs = hourMs;
/** A provider that is down is not asked by each of its users. */
const failedForMs = 5000;
/** How far the clock of a provider may be wrong, in seconds. */
const clockTolerance = 30;

/** Takes some 30 ms, in which all wait. */
const loadLibrary = () => import('openid-client');
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Failure = client.ClientError | client.ResponseBodyError | client.AuthorizationResponseError;

/** What the browser remembers while the user is at the provider. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
  /** When it began, in ms since 1970. */
  began: number;
}

/** Who has signed in at a provider. */
export interface Identified {
  subject: string;
  /** The name that the user has there, as it was written. */
  preferredName: string;
  /** Undefined if the provider does not decide who is an operator. */
  isOperator: boolean | undefined;
  /** Whether the provider says that the user has signed in there since it was asked. Without it, it may have known the browser. */
  isFresh: boolean;
  /** Whether the provider says that it has asked for a second factor, too (`amr`, RFC 8176). Most do not tell. */
  hasTwoFactors: boolean;
}

export type Providers = ReturnType<typeof createProviders>;

/** `warn`: for the operator, why a sign-in by a provider has failed. */
export function createProviders(options: {
  providers: readonly OidcProvider[];
  publicUrl: string;
  now: () => Date;
  warn: (message: string, fields: Record<string, unknown>) => void;
  /** How long one answer of a provider may take. */
  timeoutSeconds?: number;
}) {
  const { providers, publicUrl, now, warn, timeoutSeconds = 5 } = options;
  const discovered = new Map<string, { configuration: Promise<client.Configuration>; until: number }>();

  /** Returns the provider's own description, which is read at the first use and again after an hour. */
  function configurationOf(provider: OidcProvider): Promise<client.Configuration> {
    const known = discovered.get(provider.name);
    if (known && known.until > now().getTime()) return known.configuration;
    const read = { configuration: discover(provider, timeoutSeconds), until: now().getTime() + discoveredForMs };
    read.configuration.catch(() => (read.until = now().getTime() + failedForMs));
    discovered.set(provider.name, read);
    return read.configuration;
  }

  /** Turns what the library throws into what the user is told. The log has the reason. */
  async function asking<T>(provider: OidcProvider, ask: (library: Library) => Promise<T>): Promise<T> {
    const library = await loadLibrary();
    try {
      return await ask(library);
    } catch (error) {
      if (error instanceof Problem) throw error;
      const { code, reason } = failureOf(error);
      warn('sign-in by a provider failed', { provider: provider.name, reason });
      throw new Problem(code, { cause: error });
    }
  }

  const redirectUri = ({ name }: OidcProvider) => `${publicUrl}/auth/oidc/${name}/callback`;

  return {
    load: providers.length > 0 ? loadLibrary : undefined,
    list: providers.map(({ name, label }) => ({ name, label })),

    /** The names of those that decide who is an operator. */
    withRoles: providers.filter(({ operator }) => operator !== undefined).map(({ name }) => name),

    /** @throws Problem `provider.not_found` */
    require(name: string): OidcProvider {
      const found = providers.find((provider) => provider.name === name);
      if (!found) throw new Problem('provider.not_found');
      return found;
    },

    /**
     * Where the browser goes, and what it remembers meanwhile. `isFresh`: the user shall sign in there again.
     * @throws Problem `provider.away`, `provider.refused`
     */
    begin(provider: OidcProvider, { isFresh }: { isFresh: boolean }): Promise<{ url: string; checks: Checks }> {
      return asking(provider, async (library) => {
        const configuration = await configurationOf(provider);
        const checks = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          verifier: library.randomPKCECodeVerifier(),
          began: now().getTime(),
        };
        const asked = {
          redirect_uri: redirectUri(provider),
          scope: provider.scope,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: 'S256',
          ...(isFresh && { max_age: '0', prompt: 'login' }),
        };
        const url = configuration.serverMetadata().require_pushed_authorization_requests
          ? await library.buildAuthorizationUrlWithPAR(configuration, asked)
          : library.buildAuthorizationUrl(configuration, asked);
        return { url: url.href, checks };
      });
    },

    /**
     * Who the provider says the user is. `search`: the query with which the browser came back. Undefined if the provider has
     * other keys than before: the next round reads them.
     * @throws Problem `provider.away`, `provider.refused`, `sign_in.cancelled`, `confirm.not_fresh`
     */
    finish(
      provider: OidcProvider,
      { search, checks, isFresh }: { search: string; checks: Checks; isFresh: boolean },
    ): Promise<Identified | undefined> {
      return asking(provider, async (library) => {
        const configuration = await configurationOf(provider);
        try {
          const tokens = await library.authorizationCodeGrant(configuration, new URL(redirectUri(provider) + search), {
            expectedState: checks.state,
            expectedNonce: checks.nonce,
            pkceCodeVerifier: checks.verifier,
            idTokenExpected: true,
          });
          const claims = await claimsOf({ library, configuration, provider, tokens, warn });
          // Not by the library, because a provider that does not tell the time has a sentence of its own.
          const identified = identifiedBy(provider, claims, now().getTime() - checks.began);
          if (isFresh && !identified.isFresh) throw new Problem('confirm.not_fresh');
          return identified;
        } catch (error) {
          if (!isChangedKey(error)) throw error;
          discovered.delete(provider.name);
          return undefined;
        }
      });
    },

    /** Where a user who came by this way, such as `home` or `home+app`, also signs out at the provider; undefined if it has no such page, or cannot be asked. */
    async signOutUrl(way: string): Promise<string | undefined> {
      const provider = providers.find(({ name }) => name === way.split('+')[0]);
      if (!provider) return undefined;
      return asking(provider, async (library) => {
        const configuration = await configurationOf(provider);
        if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
        const after = { post_logout_redirect_uri: `${publicUrl}/sign-in` };
        return library.buildEndSessionUrl(configuration, after).href;
      }).catch(() => undefined);
    },

    /** Asks each provider for its description. Returns why it cannot be used, or undefined if it can. */
    async examine(): Promise<{ name: string; failure: string | undefined }[]> {
      return Promise.all(
        providers.map(async (provider) => {
          discovered.delete(provider.name);
          const failure = await configurationOf(provider).then(
            () => undefined,
            (error: unknown) => failureOf(error).reason,
          );
          return { name: provider.name, failure };
        }),
      );
    },
  };
}

async function discover(provider: OidcProvider, timeout: number): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const library = await loadLibrary();
  const server = new URL(issuer);
  const metadata = { client_secret: clientSecret, [library.clockTolerance]: clockTolerance };
  /** The secret in a header, which each provider can do, unless it says otherwise. */
  const authentication: client.ClientAuth = (...request) => {
    const methods = request[0].token_endpoint_auth_methods_supported;
    const isHeader = methods === undefined || methods.includes('client_secret_basic');
    return (isHeader ? library.ClientSecretBasic(clientSecret) : library.ClientSecretPost(clientSecret))(...request);
  };
  return library.discovery(server, clientId, metadata, authentication, {
    timeout,
    [library.customFetch]: fetchAtMost,
    // By default, the library trusts what it has fetched by TLS.
    execute: [
      library.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [library.allowInsecureRequests] : []),
    ],
  });
}

/** The library reads whole responses. What it throws has the response, whose address the log names. */
const fetchAtMost: client.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > providerLimits.bytes) throw new Error(`the provider has sent more than ${providerLimits.bytes} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const read = new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, headers });
  return Object.defineProperty(read, 'url', { value: url });
};

type Claims = Record<string, unknown> & { sub: string };

/**
 * Some providers tell the name and the groups only where the profile is. The token says who the user is, so a profile that cannot
 * be read refuses nobody.
 */
async function claimsOf(options: {
  library: Library;
  configuration: client.Configuration;
  provider: OidcProvider;
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;
  warn: (message: string, fields: Record<string, unknown>) => void;
}): Promise<Claims> {
  const { library, configuration, provider, tokens, warn } = options;
  const claims: Claims = { ...tokens.claims()! };
  const { sub: subject } = claims;
  // Who has an empty one would be the same user as all others who have.
  if (subject === '' || subject.length > providerLimits.subjectLength || /\p{Cc}/u.test(subject))
    throw new Error('the claim sub is malformed');
  const wanted = ['preferred_username', ...(provider.operator ? [provider.operator.claim] : [])];
  const { userinfo_endpoint: address } = configuration.serverMetadata();
  if (address === undefined || wanted.every((name) => claimAt(claims, name) !== undefined)) return claims;
  try {
    return { ...(await library.fetchUserInfo(configuration, tokens.access_token, subject)), ...claims };
  } catch (error) {
    // The profile of another user.
    if (codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error;
    const { reason } = failureOf(error);
    warn('the profile of a provider cannot be read', { provider: provider.name, address, reason });
    return claims;
  }
}

/** The value of a claim, also of one inside of another, such as `realm_access.roles`. A name may have dots itself. */
function claimAt(claims: object, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path as keyof object];
  return Object.entries(claims)
    .filter(([name, value]) => path.startsWith(`${name}.`) && typeof value === 'object' && value !== null)
    .map(([name, value]) => claimAt(value as object, path.slice(name.length + 1)))
    .find((found) => found !== undefined);
}

/** `took`: the ms since the user was sent to the provider. */
function identifiedBy({ operator }: OidcProvider, claims: Claims, took: number): Identified {
  const { sub: subject, preferred_username: name, iat, auth_time: time } = claims;
  const preferredName = typeof name === 'string' ? name.slice(0, providerLimits.nameLength) : '';
  // Both are times of the provider, whose clock may be wrong.
  const isFresh = typeof time === 'number' && Number(iat) - time < took / 1000 + clockTolerance;
  const methods = claims['amr'];
  const hasTwoFactors = Array.isArray(methods) && methods.includes('mfa');
  const identified = { subject, preferredName, isFresh, hasTwoFactors };
  if (!operator) return { ...identified, isOperator: undefined };
  const found = claimAt(claims, operator.claim);
  const isOperator = Array.isArray(found) ? found.includes(operator.value) : found === operator.value;
  return { ...identified, isOperator };
}

const isChangedKey = (error: unknown) => codeOf(error) === 'OAUTH_KEY_SELECTION_FAILED';
const codeOf = (error: unknown) => (error as Partial<Failure>)?.code;

/** A timeout, too early, too many requests. */
const putsOff: ReadonlySet<number> = new Set([408, 425, 429]);

/** `reason`: for the log, without what a token says. */
function failureOf(error: unknown): {
  code: 'provider.away' | 'provider.refused' | 'sign_in.cancelled';
  reason: string;
} {
  const {
    name,
    error: said,
    error_description: sentence,
    response,
    cause,
  } = error as Error & { error?: unknown; error_description?: unknown; response?: unknown };
  const code = codeOf(error);
  if (name === 'AuthorizationResponseError' && said === 'access_denied')
    return { code: 'sign_in.cancelled', reason: said };
  const answer = [cause, response].find((each) => each instanceof Response);
  const isAway =
    code === 'OAUTH_TIMEOUT' ||
    (error instanceof TypeError && error.message === 'fetch failed') ||
    (answer !== undefined && (answer.status >= 500 || putsOff.has(answer.status)));
  const details = [
    (error as Error).message,
    typeof said === 'string' ? said : undefined,
    typeof sentence === 'string' ? sentence.slice(0, 200) : undefined,
    answer ? `status ${answer.status} of ${answer.url}` : cause instanceof Error ? cause.message : undefined,
  ];
  return {
    code: isAway ? 'provider.away' : 'provider.refused',
    reason: details.filter((text) => text !== undefined && text !== '').join(': '),
  };
}

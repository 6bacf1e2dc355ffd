import { createChangeFeed } from '../feed/change-feed.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { createLimits } from '../limits/limit-tables.ts';
import * as capabilities from '../../capabilities.ts';
import { waysOf } from '../capability.ts';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../store/store.fixture.ts';
import { sessionCookieName } from './session-cookie.ts';
import type { SessionTimes } from './sessions.store.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

export const origin = 'http://localhost:4500';
const secret = 'a secret of the tests, of 32 and more characters';

export interface TestSignIn extends AsyncDisposable {
  db: Database;
  signIn: SignIn;
  /** The reported errors. */
  reported: unknown[];
  /** The names of users whose password was changed. */
  changed: string[];
  /** Advances the clock. */
  wait(milliseconds: number): void;
  now(): Date;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Signs up a user and returns the cookie. */
  signUp(username: string, password?: string): Promise<string>;
}

/** The sign-in module with a real database. */
export async function createTestSignIn(
  settings: { signUp?: 'open' | 'closed'; rateLimit?: number; sessionTimes?: SessionTimes } = {},
): Promise<TestSignIn> {
  const database = await openTestDatabase();
  const { db } = database;
  let waited = 0;
  const now = () => new Date(Date.now() + waited);
  const reported: unknown[] = [];
  const changed: string[] = [];
  const signIn = createSignIn({
    db,
    feed: await createChangeFeed({ db, report: (error) => reported.push(error) }),
    secrets: [secret],
    publicUrl: origin,
    signUp: settings.signUp ?? 'open',
    ...(settings.sessionTimes && { sessionTimes: settings.sessionTimes }),
    oidcProviders: [],
    oidcOnly: false,
    secondFactor: 'optional',
    warn: () => {},
    ways: waysOf(capabilities, {}),
    sessionOf: () => {
      throw new Error('no request of the app');
    },
    onChanged: async () => {},
    rates: createLimits({ factor: settings.rateLimit ?? Number.POSITIVE_INFINITY, now }).rates,
    now,
    report: (error, request) => {
      if (!request || request.status >= 500) reported.push(error);
    },
    onSignedIn: async () => {},
    onPasswordChanged: async ({ userName }) => void changed.push(userName),
    mails: { isAvailable: false, add: async () => {} },
    onRecovered: async ({ userName }) => void changed.push(userName),
    record: async () => {},
  });
  const { handle } = signIn.serve([]);
  const post: TestSignIn['post'] = (pathname, body = {}, headers = {}) =>
    handle(
      new Request(`${origin}${pathname}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
      testBindings({ clientAddress: () => headers['x-test-address'] ?? '192.0.2.1' }),
    );
  return {
    db,
    signIn,
    reported,
    changed,
    now,
    post,
    wait: (milliseconds) => void (waited += milliseconds),
    async signUp(username, password = 'a good password') {
      const answer = await post('/auth/sign-up', { username, password, name: username });
      if (answer.status !== 201) throw new Error(`sign-up: ${await answer.text()}`);
      return cookieOf(answer);
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The `Cookie` header that a browser sends after this response. */
export function cookieOf(answer: Response): string {
  const set = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
  return set?.split(';')[0] ?? '';
}

/** A request with this cookie. */
export function requestWith(cookie: string): Request {
  return new Request(`${origin}/api/account`, { headers: { cookie } });
}

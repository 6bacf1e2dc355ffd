import { randomBytes } from 'node:crypto';
import { signInLimits } from '../limits/part-limits.ts';
import { createSeal } from '../store/seal.ts';
import type { Secrets } from '../store/secret.ts';
import { cookieHeader, readCookie } from './cookies.ts';

const name = '__Host-swarmdeck.browser';
/** In s. Browsers keep no cookie for longer. */
const keptFor = 400 * 86_400;
const longestValue = 2000;

interface Browser {
  id: string;
  /** Who has signed in there, last first. */
  users: string[];
}

export type Browsers = ReturnType<typeof createBrowsers>;

/**
 * Who has signed in from which browser, in an encrypted cookie of the browser. Nothing about the browser is read, and nothing is stored
 * here.
 */
export function createBrowsers({ secrets }: { secrets: Secrets }) {
  const { seal, unseal } = createSeal(secrets, 'browser');

  function read(request: Request): Browser | undefined {
    const value = readCookie(request.headers.get('cookie'), name);
    if (!value || value.length > longestValue) return undefined;
    const text = unseal({ sealed: Buffer.from(value, 'base64url'), owner: name });
    return text === undefined ? undefined : (JSON.parse(text) as Browser);
  }

  return {
    /** The id of the browser if this user has signed in there. */
    knownTo(request: Request, userName: string): string | undefined {
      const browser = read(request);
      return browser?.users.includes(userName) ? browser.id : undefined;
    },
    /** A `Set-Cookie` header: this user has signed in there. */
    cookieOf(request: Request, userName: string): string {
      const { id, users } = read(request) ?? { id: randomBytes(12).toString('base64url'), users: [] };
      const browser: Browser = {
        id,
        users: [userName, ...users.filter((user) => user !== userName)].slice(0, signInLimits.usersOfBrowser),
      };
      const value = Buffer.from(seal({ text: JSON.stringify(browser), owner: name })).toString('base64url');
      return cookieHeader({ name, value, maxAge: keptFor });
    },
  };
}

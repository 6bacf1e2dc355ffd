import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { signInLimits } from '../../core/limits/part-limits.ts';

const codeFormat = /^(?<content>(?<userName>[a-z0-9_-]{3,32})\.(?<expires>\d{1,15}))\.(?<mac>[\w-]{43})$/;

export type LinkCodes = ReturnType<typeof createLinkCodes>;

/**
 * The codes of links that a user gets from the operator or by mail. A code is signed together with the state that it changes, such as the
 * stored hash of the user's password: it ends with the first change of this state, also by another code, and nothing about it is
 * stored. A restored backup has the old state again, but another name of the feed, which is signed too.
 */
export function createLinkCodes({
  purpose,
  secret,
  feedName,
  now,
}: {
  /** A code of one purpose is none of another. */
  purpose: 'password link' | 'address link';
  secret: string;
  feedName: string;
  now: () => Date;
}) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `swarmdeck ${purpose}`, 32));
  const macOf = (content: string, state: string) =>
    createHmac('sha256', key).update(`${content} ${feedName} ${state}`).digest();

  return {
    codeOf({ userName, state }: { userName: string; state: string }): { code: string; expires_at: string } {
      const expires = now().getTime() + signInLimits.linkMs;
      const content = `${userName}.${expires}`;
      const code = `${content}.${macOf(content, state).toString('base64url')}`;
      return { code, expires_at: new Date(expires).toISOString() };
    },
    /** The user whom a code names. Undefined if it has no valid form or has expired. */
    userOf(code: string): string | undefined {
      const { userName, expires } = codeFormat.exec(code)?.groups ?? {};
      return Number(expires) > now().getTime() ? userName : undefined;
    },
    /** For a use that does not change the password, so that a code of `userOf` is used once. */
    stepOf(code: string): { id: string; expires: number } {
      const { expires = '', mac = '' } = codeFormat.exec(code)?.groups ?? {};
      return { id: `link ${mac}`, expires: Number(expires) };
    },
    isGenuine({ code, state }: { code: string; state: string }): boolean {
      const { content = '', mac = '' } = codeFormat.exec(code)?.groups ?? {};
      const macBytes = Buffer.from(mac, 'base64url');
      const expected = macOf(content, state);
      return macBytes.length === expected.length && timingSafeEqual(macBytes, expected);
    },
  };
}

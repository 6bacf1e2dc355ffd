import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const validMs = 3600 * 1000;
const codeFormat = /^(?<content>(?<userName>[a-z0-9_-]{3,32})\.(?<expires>\d{1,15}))\.(?<mac>[\w-]{43})$/;

/**
 * The codes of links by which a user chooses a new password. A code is signed together with the stored hash of the user's
 * password: it ends with the first change of the password, also by another code, and nothing about it is stored. A restored
 * backup has the old hash again, but another name of the feed, which is signed too.
 */
export function createPasswordLinks({ secret, feedName, now }: { secret: string; feedName: string; now: () => Date }) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'swarmdeck password link', 32));
  const macOf = (content: string, hash: string) =>
    createHmac('sha256', key).update(`${content} ${feedName} ${hash}`).digest();

  return {
    codeOf({ userName, hash }: { userName: string; hash: string }): { code: string; expires_at: string } {
      const expires = now().getTime() + validMs;
      const content = `${userName}.${expires}`;
      const code = `${content}.${macOf(content, hash).toString('base64url')}`;
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
    isGenuine({ code, hash }: { code: string; hash: string }): boolean {
      const { content = '', mac = '' } = codeFormat.exec(code)?.groups ?? {};
      const sent = Buffer.from(mac, 'base64url');
      const expected = macOf(content, hash);
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  };
}

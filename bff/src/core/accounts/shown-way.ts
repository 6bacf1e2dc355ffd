import type { SignInWay } from './sessions.store.ts';
import type { Way } from './ways.ts';

/**
 * How a user has signed in, for the activity log: `password`, `passkey`, `link` (of the operator), `code` (a recovery code, after one of
 * them), or `provider:` and its label.
 */
export function shownWay(way: SignInWay, ways: readonly Pick<Way, 'shown'>[]): string {
  const [first = '', second] = way.split('+');
  if (second === 'code') return second;
  return ways.map((each) => each.shown?.(first)).find((shown) => shown !== undefined) ?? first;
}

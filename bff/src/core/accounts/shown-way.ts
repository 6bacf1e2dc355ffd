import type { SignInWay } from './sessions.store.ts';

/**
 * How a user has signed in, for the activity log: `password`, `passkey`, `link` (of the operator), `code` (a recovery code, after one of
 * them), or `provider:` and its label.
 */
export function shownWay(way: SignInWay, providers: readonly { name: string; label: string }[] = []): string {
  const [first = '', second] = way.split('+');
  if (second === 'code') return second;
  const provider = providers.find(({ name }) => name === first);
  return provider ? `provider:${provider.label}` : first;
}

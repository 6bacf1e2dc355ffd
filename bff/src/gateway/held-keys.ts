import type { Feed } from '../feed/feed.ts';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { findHeldKey, holdKey } from './held-keys.store.ts';
import { createSeal } from './seal.ts';

/** In ms. A gateway key is replaced after 30 days; the old one remains valid for 60 s for running requests. */
export const heldKeyLives = 30 * 86_400_000;
export const oldKeyLives = 60_000;

export interface HeldKeys {
  /** The key for this user. Usually cached, and then not a promise. */
  keyFor(userName: string): string | Promise<string>;
  /** Replaces the key, for example after a change of password, because an attacker may have used the old one. */
  replace(userName: string): Promise<void>;
  /** Removes the cached key of this user. */
  forget(userName: string): void;
}

interface Held {
  key: string;
  createdAt: number;
}

/**
 * The gateway's keys for browsers: one per user, created on first use, encrypted in the database, in plain text only in
 * memory. They are not listed, cannot be revoked by users, and never leave this process.
 */
export function createHeldKeys(options: {
  db: Database;
  feed: Feed;
  secret: string;
  now: () => Date;
  /** Creates a key in the service, which stores only its hash. */
  mint: (userName: string) => Promise<{ id: string; key: string }>;
}): HeldKeys {
  const { db, feed, secret, now, mint } = options;
  const { seal, unseal } = createSeal({ secret });
  const rememberedAtMost = 10_000;
  const atHand = new Map<string, Held>();
  const minting = new Map<string, Promise<Held>>();

  feed.subscribe((entries) => {
    for (const { kind, owner } of entries) if (kind === 'key.changed') atHand.delete(owner!);
  });

  const isFresh = ({ createdAt }: Held) => now().getTime() - createdAt < heldKeyLives;

  function remember(userName: string, held: Held): Held {
    const oldest = atHand.keys().next();
    if (atHand.size >= rememberedAtMost && !oldest.done) atHand.delete(oldest.value);
    atHand.set(userName, held);
    return held;
  }

  function read(userName: string): Held | undefined {
    const record = findHeldKey({ db, userName });
    const key = record && unseal({ sealed: record.sealed, owner: userName });
    if (!key) return undefined;
    const held = { key, createdAt: Date.parse(record.created_at) };
    return isFresh(held) ? remember(userName, held) : undefined;
  }

  async function mintAndHold(userName: string): Promise<Held> {
    const { id, key } = await mint(userName);
    const at = now();
    const record = { key_id: id, sealed: seal({ text: key, owner: userName }), created_at: at.toISOString() };
    const othersUntil = new Date(at.getTime() + oldKeyLives);
    // The account was deleted during this request.
    if (!(await holdKey({ db, userName, record, othersUntil }))) throw new Problem('session.missing');
    return remember(userName, { key, createdAt: at.getTime() });
  }

  /** Creates one key for concurrent requests. */
  function mintOnce(userName: string): Promise<Held> {
    const started = minting.get(userName);
    if (started) return started;
    const promise = mintAndHold(userName).finally(() => minting.delete(userName));
    minting.set(userName, promise);
    return promise;
  }

  return {
    keyFor(userName) {
      const known = atHand.get(userName);
      if (known && isFresh(known)) return known.key;
      const stored = minting.has(userName) ? undefined : read(userName);
      return stored?.key ?? mintOnce(userName).then(({ key }) => key);
    },
    async replace(userName) {
      await minting.get(userName)?.catch(() => {});
      // A user without a key gets one on first use.
      if (findHeldKey({ db, userName })) await mintOnce(userName);
    },
    forget: (userName) => void atHand.delete(userName),
  };
}

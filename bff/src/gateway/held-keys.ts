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
  /** By user: the key is being read or created. */
  const opening = new Map<string, Promise<Held>>();
  /** `seq` of the last change of any key. */
  let changedAt = 0;

  feed.subscribe((entries) => {
    for (const { kind, owner, seq } of entries) {
      if (kind !== 'key.changed') continue;
      changedAt = seq;
      atHand.delete(owner!);
    }
  });

  const isFresh = ({ createdAt }: Held) => now().getTime() - createdAt < heldKeyLives;

  function remember(userName: string, held: Held): Held {
    const oldest = atHand.keys().next();
    if (atHand.size >= rememberedAtMost && !oldest.done) atHand.delete(oldest.value);
    atHand.set(userName, held);
    return held;
  }

  async function read(userName: string): Promise<Held | undefined> {
    const before = feed.newest;
    const record = await findHeldKey({ db, userName });
    const key = record && unseal({ sealed: record.sealed, owner: userName });
    if (!key) return undefined;
    const held = { key, createdAt: Date.parse(record.created_at) };
    if (!isFresh(held)) return undefined;
    // A key that was replaced while it was read is used once and not cached.
    return changedAt > before ? held : remember(userName, held);
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

  /** Runs `open` once for concurrent requests. */
  function openOnce(userName: string, open: () => Promise<Held>): Promise<Held> {
    const started = opening.get(userName);
    if (started) return started;
    const promise = open().finally(() => opening.delete(userName));
    opening.set(userName, promise);
    return promise;
  }

  return {
    keyFor(userName) {
      const known = atHand.get(userName);
      if (known && isFresh(known)) return known.key;
      const open = async () => (await read(userName)) ?? mintAndHold(userName);
      return openOnce(userName, open).then(({ key }) => key);
    },
    async replace(userName) {
      // a key that is being opened may be the old one
      const opened = async () => {
        while (opening.has(userName)) await opening.get(userName)!.catch(() => {});
      };
      await opened();
      // A user without a key gets one on first use.
      if (!(await findHeldKey({ db, userName }))) return;
      await opened();
      await openOnce(userName, () => mintAndHold(userName));
    },
    forget: (userName) => void atHand.delete(userName),
  };
}

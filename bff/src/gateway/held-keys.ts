import type { Feed } from '../feed/feed.ts';
import { Problem } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { findHeldKey, holdKey } from './held-keys.store.ts';
import { createSeal } from './seal.ts';

/** Milliseconds. A held key is replaced after 30 days; requests under way with the old one have 60 s. */
export const heldKeyLives = 30 * 86_400_000;
export const oldKeyLives = 60_000;

export interface HeldKeys {
  /** The key to attach for this user. A string when it is at hand, which it nearly always is. */
  keyFor(userName: string): string | Promise<string>;
  /** Puts a new key in the place of the old one: after a change of password, of which a thief may know the old. */
  replace(userName: string): Promise<void>;
  /** What is remembered of this user is no longer so: it is read again, or minted. */
  forget(userName: string): void;
}

interface Held {
  key: string;
  createdAt: number;
}

/**
 * The keys that the gateway holds for browsers: one for each user, minted when first needed, sealed in the
 * database, open in memory only. They are not listed, cannot be revoked by hand, and never leave this process.
 */
export function createHeldKeys(options: {
  db: Database;
  feed: Feed;
  secret: string;
  now: () => Date;
  /** The service's: stores a hash of a new key and gives the key. */
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
    // the account was deleted while this request was on its way
    if (!(await holdKey({ db, userName, record, othersUntil }))) throw new Problem('session.missing');
    return remember(userName, { key, createdAt: at.getTime() });
  }

  /** However many ask at once, one key is minted. */
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
      // who has none yet gets one when it is needed
      if (findHeldKey({ db, userName })) await mintOnce(userName);
    },
    forget: (userName) => void atHand.delete(userName),
  };
}

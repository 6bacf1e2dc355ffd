/** What users spend in a second, for costs that are known afterwards. Who has spent it waits, and users do not wait for each other. */
import { BoundedMap } from './bounded-map.ts';
import { memoryTable } from './part-limits.ts';

export type Budget = ReturnType<typeof createBudget>;

interface Account {
  /** It is below zero if more was spent than was left. */
  left: number;
  at: number;
}

/** `burst`: what a user can spend at once. */
export function createBudget(options: {
  perSecond: number;
  burst: number;
  /** A monotonic clock, in ms. */
  clock?: () => number;
}) {
  const { perSecond, burst, clock = () => performance.now() } = options;
  const isUnlimited = !Number.isFinite(perSecond);
  /** The account that was used least recently is dropped, so that those of users who spend stay. */
  const accounts = new BoundedMap<string, Account>(memoryTable.rates.most);
  /** What waits until something is left, by user, first come first served. */
  const queues = new Map<string, { amount: number; begin: () => void }[]>();

  function accountOf(user: string): Account {
    const at = clock();
    const account = accounts.get(user) ?? { left: burst, at };
    accounts.set(user, account);
    account.left = Math.min(burst, account.left + ((at - account.at) / 1000) * perSecond);
    account.at = at;
    return account;
  }

  function msUntilLeft(user: string): number {
    if (isUnlimited) return 0;
    const { left } = accountOf(user);
    return left > 0 ? 0 : 1 + (-left / perSecond) * 1000;
  }

  /** Lets what waits begin while something is left. */
  function beginQueued(user: string) {
    const queue = queues.get(user)!;
    const account = accountOf(user);
    while (queue.length > 0 && account.left > 0) {
      const { amount, begin } = queue.shift()!;
      account.left -= amount;
      begin();
    }
    if (queue.length === 0) queues.delete(user);
    else setTimeout(() => beginQueued(user), msUntilLeft(user)).unref();
  }

  function spend(user: string, amount: number): boolean {
    if (isUnlimited) return true;
    if (queues.has(user)) return false;
    const account = accountOf(user);
    if (account.left <= 0) return false;
    account.left -= amount;
    return true;
  }

  return {
    /** Spends it, also more than what is left. Returns false if nothing is left, or if something of this user waits. */
    spend,
    /** Resolves when something is left, and has spent it then. Calls of a user resolve in their order. */
    async spendWhenLeft(user: string, amount: number): Promise<void> {
      if (spend(user, amount)) return;
      await new Promise<void>((begin) => {
        const queue = queues.get(user) ?? [];
        queues.set(user, queue);
        // If others wait already, a timer runs.
        if (queue.push({ amount, begin }) === 1) beginQueued(user);
      });
    },
    /** Spends it in any case, or gives back what was not spent. */
    correct(user: string, amount: number): void {
      if (!isUnlimited && amount !== 0) accountOf(user).left -= amount;
    },
    /** In ms: how long it takes until something is left. 0 if something is. */
    msUntilLeft,
    /** How many wait. */
    queued: (): number => [...queues.values()].reduce((sum, { length }) => sum + length, 0),
  };
}

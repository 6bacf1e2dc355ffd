/** The turns of users in the commits of a store's writer. */
import type { Write } from './statement.ts';

/** `user`: who has caused the write; '' for nobody. */
export type QueuedWrite<Waiting> = Waiting & { user: string; cost: number };

interface UserWrites<Waiting> {
  queue: QueuedWrite<Waiting>[];
  /** The cost of what was taken, beginning with the fair share when the user arrived. */
  used: number;
}

/** `cost`: in statements, or the rows that they write, if they say how many. */
function queuedWrite<Waiting extends { statements: Write }>(write: Waiting): QueuedWrite<Waiting> {
  let user: string | undefined;
  let cost = 0;
  for (const statement of write.statements) {
    user ??= statement.user;
    cost += statement.rows ?? 1;
  }
  return { ...write, user: user ?? '', cost };
}

/** A write with such a cost is a batch of its own: small ones in it would wait for it. */
const largeFrom = 100;

const isLarge = ({ cost }: { cost: number }) => cost >= largeFrom;
const hasWaiting = ({ queue }: UserWrites<unknown>) => queue.length > 0;
const hasSmall = ({ queue }: UserWrites<unknown>) => queue.length > 0 && !isLarge(queue[0]!);
const sumOfCosts = (writes: readonly { cost: number }[]) => writes.reduce((sum, { cost }) => sum + cost, 0);

/**
 * Writes that wait for a commit. A batch has one write of each user, then a second one of each, so that nobody waits for all
 * writes of another user, and who has used the least goes first. A large write is alone in its batch. The writes of one user stay in their order.
 */
export function createWriteTurns<Waiting extends { statements: Write }>(most: {
  /** The number of writes in a batch. */
  writes: number;
  /** A batch ends with the write that reaches it. */
  cost: number;
}) {
  const users = new Map<string, UserWrites<Waiting>>();
  let length = 0;
  /** What a user has used who had the same share as all others who waited. Nobody saves up a share while idle. */
  let fairShare = 0;

  function writesOf(user: string): UserWrites<Waiting> {
    let writes = users.get(user);
    if (!writes) users.set(user, (writes = { queue: [], used: fairShare }));
    return writes;
  }

  return {
    get length(): number {
      return length;
    },

    add(write: Waiting): void {
      const queued = queuedWrite(write);
      writesOf(queued.user).queue.push(queued);
      length += 1;
    },

    /** The next batch. At least one write, if any waits. Call `end` when it has ended. */
    take(): QueuedWrite<Waiting>[] {
      let turns = [...users.values()].filter(hasWaiting).sort((a, b) => a.used - b.used);
      // A large one comes when its user has used the least.
      const [first] = turns;
      turns = first && hasSmall(first) ? turns.filter(hasSmall) : turns.slice(0, 1);
      const batch: QueuedWrite<Waiting>[] = [];
      let cost = 0;
      const isFull = () => batch.length === most.writes || cost >= most.cost;
      for (; turns.length > 0 && !isFull(); turns = turns.filter(hasSmall)) {
        for (const writes of turns) {
          if (isFull()) break;
          const write = writes.queue.shift()!;
          writes.used += write.cost;
          cost = isLarge(write) ? most.cost : cost + write.cost;
          batch.push(write);
        }
      }
      length -= batch.length;
      return batch;
    },

    /** `left`: its last writes, for which there was no time. They are the next ones of their users. */
    end(batch: readonly QueuedWrite<Waiting>[], left: readonly QueuedWrite<Waiting>[] = []): void {
      for (const write of left.toReversed()) {
        const writes = writesOf(write.user);
        writes.queue.unshift(write);
        writes.used -= write.cost;
      }
      length += left.length;
      if (length === 0) return users.clear();
      const sharers = new Set(batch.map(({ user }) => user));
      for (const [user, { queue }] of users) if (queue.length > 0) sharers.add(user);
      const used = sumOfCosts(batch) - sumOfCosts(left);
      fairShare += used / sharers.size;
      // Who has used more is remembered while others wait.
      for (const [user, writes] of users) if (writes.queue.length === 0 && writes.used <= fairShare) users.delete(user);
    },
  };
}

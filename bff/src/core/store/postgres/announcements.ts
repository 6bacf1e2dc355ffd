import type { Pool } from 'pg';
import { createSubscribers } from '../subscribers.ts';
import { prepared } from './connection.ts';

/** Apart from the channel of commits: a notification there makes each process look for what was written. */
export const announcementChannel = 'swarmdeck_announcements';
/** In ms: lines of this time are sent together. */
const collectedMs = 20;
/** In bytes. PostgreSQL takes less than 8,000. */
const notificationAtMost = 7900;

/**
 * Short lines for all processes, which no table keeps. PostgreSQL delivers notifications in the order of their commits, so all
 * processes get them in one order, the sender too. `received` is for the connection that listens.
 */
export function createAnnouncements({ pool, report }: { pool: Pool; report: (error: unknown) => void }) {
  const subscribers = createSubscribers(report);
  let queue: string[] = [];
  let collecting: NodeJS.Timeout | undefined;
  /** One statement after the other: two at once could change places. */
  let sent = Promise.resolve();

  async function send() {
    const notifications = notificationsOf(queue);
    queue = [];
    if (notifications.length === 0) return;
    const sql = `SELECT pg_notify('${announcementChannel}', line) FROM jsonb_array_elements_text($1) line`;
    await pool.query(prepared(pool, sql, [JSON.stringify(notifications)])).catch(report);
  }

  return {
    subscribe: subscribers.subscribe,
    announce(line: string): void {
      queue.push(line);
      collecting ??= setTimeout(() => {
        collecting = undefined;
        sent = sent.then(send);
      }, collectedMs);
    },
    received(notification: string): void {
      for (const line of notification.split('\n')) subscribers.tell(line);
    },
    async close() {
      clearTimeout(collecting);
      await sent;
    },
  };
}

/** Puts as many lines into each notification as it takes. */
function notificationsOf(lines: readonly string[]): string[] {
  const notifications: string[][] = [];
  let bytes = Infinity;
  for (const line of lines) {
    const added = Buffer.byteLength(line) + 1;
    if (bytes + added > notificationAtMost) {
      notifications.push([]);
      bytes = 0;
    }
    notifications.at(-1)!.push(line);
    bytes += added;
  }
  return notifications.map((lines) => lines.join('\n'));
}

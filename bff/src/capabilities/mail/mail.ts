/**
 * Sends mails by the operator's mail server. They wait in a table: what causes one does not wait for it, and a restart loses none. Text
 * and link are made when one is sent.
 */
import type { MailSettings } from '../../core/config/mail-settings.ts';
import { mailLimits } from '../../core/limits/part-limits.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Log } from '../../core/log.ts';
import type { Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { createMailStore, type ClaimedMail, type WaitingMail } from './mails.store.ts';
import { examineMailServer, isFinal, isOfAddress, loadMailer, reasonOf, sendMail } from './smtp.ts';

/** The time in ms between two looks for what is due: for another try, or because another process has ended. */
const everyMs = 5000;

type MailCounts = Record<'sent' | 'failed' | 'dropped', number>;

/** `settings`: undefined if the server sends no mail. `isCommand`: nothing is sent, a server does that. */
export function createMail({
  settings,
  db,
  write,
  isCommand = false,
  now,
  log,
  report,
}: {
  settings: MailSettings | undefined;
  db: Database;
  /** Returns the text of what goes into one mail to one address; undefined if it has ended. */
  write: (mails: readonly WaitingMail[]) => Promise<{ subject: string; text: string } | undefined>;
  isCommand?: boolean;
  now: () => Date;
  log: Pick<Log, 'info' | 'warn'>;
  report: Report;
}) {
  const store = createMailStore({ db, now });
  const counts: MailCounts = { sent: 0, failed: 0, dropped: 0 };
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let isClosing = false;
  let isFailing = false;
  let isDropping = false;

  /** Logs the first failure, and the first success after it. The reason names no user. */
  function logOutage(reason: string | undefined) {
    if (reason !== undefined && !isFailing) log.warn('a mail could not be sent', { host: settings?.host, reason });
    if (reason === undefined && isFailing) log.info('mails are sent again', { host: settings?.host });
    isFailing = reason !== undefined;
  }

  /** One line until nothing is due any more. */
  function noteDropped(users: readonly string[]) {
    counts.dropped += users.length;
    if (users.length > 0 && !isDropping) log.warn('mails are dropped: too many wait', { user: users[0] });
    isDropping ||= users.length > 0;
  }

  async function deliver(claimed: readonly ClaimedMail[]) {
    const rows = claimed.filter(({ ends_at }) => ends_at > now().getTime());
    counts.dropped += claimed.length - rows.length;
    const written = rows.length > 0 ? await write(rows) : undefined;
    if (!written) {
      await store.remove(claimed);
      return;
    }
    try {
      await sendMail(settings!, { ...written, to: rows[0]!.address }, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) {
        await store.giveBack(claimed);
        return;
      }
      logOutage(reasonOf(error));
      // Nobody has shown that an address that is not verified takes mails.
      const isRefused = isFinal(error) || (rows[0]!.kind === 'verify' && isOfAddress(error));
      if (isRefused) await store.remove(claimed);
      if (isRefused || !(await store.tryLater(claimed))) counts.failed += 1;
      return;
    }
    counts.sent += 1;
    logOutage(undefined);
    await store.remove(claimed);
  }

  /** Begins mails until no connection is free, or nothing is due. */
  const sendDue = shareNextRun(async () => {
    try {
      while (settings && !isClosing && running.size < mailLimits.atOnce) {
        const claimed = await store.claim();
        if (!claimed) {
          isDropping = false;
          return;
        }
        if (claimed.length > 0) begin(claimed);
      }
    } catch (error) {
      report(error);
    }
  });

  function begin(claimed: readonly ClaimedMail[]) {
    const sending = deliver(claimed)
      .catch(report)
      .finally(() => {
        running.delete(sending);
        void sendDue();
      });
    running.add(sending);
  }

  const timer = !settings || isCommand ? undefined : setInterval(() => void sendDue(), everyMs).unref();

  return {
    /** Whether the operator has set up a mail server. */
    isAvailable: settings !== undefined,
    load: settings && loadMailer,

    /** Resolves when they wait. Nothing happens if the operator has set up no mail server. */
    async add(mails: Parameters<typeof store.add>[0]): Promise<void> {
      if (!settings) return;
      noteDropped(await store.add(mails));
      if (!isCommand) void sendDue();
    },

    /** For tests: resolves when all that is due was tried. */
    async deliver(): Promise<void> {
      await sendDue();
      while (running.size > 0) {
        await Promise.all(running);
        await sendDue();
      }
    },

    /** Connects and signs in, for the operator. Returns why mails cannot be sent; undefined if they can. */
    async examine(): Promise<{ host: string; failure: string | undefined } | undefined> {
      return settings && { host: settings.host, failure: await examineMailServer(settings) };
    },

    /** The rows of all processes. */
    waiting: store.count,
    counts: (): MailCounts => ({ ...counts }),

    /** Ends what is being sent, after a short time. What waits is sent after the next start. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(timer);
      const late = setTimeout(() => stop.abort(), mailLimits.closeMs);
      await sendDue();
      await Promise.all(running);
      clearTimeout(late);
    },
  };
}

/** Sends mails by the operator's mail server, from a queue in memory: what causes one does not wait for it. */
import type { MailSettings } from '../config/mail-settings.ts';
import { Counts } from '../limits/bounded-map.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { mailLimits } from '../limits/part-limits.ts';
import type { Log } from '../log.ts';

/** Plain text for one address. The caller has checked the address. */
interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The user whose turns and places in the queue it takes. */
  user: string;
  /** Retried only if the address is verified. */
  isVerified: boolean;
}

interface Queued {
  mail: Mail;
  tries: number;
}

interface MailMeasurements {
  waiting: number;
  counts: Record<'sent' | 'failed' | 'dropped', number>;
}

/** `settings`: undefined if the server sends no mail. */
export function createMail({
  settings,
  retryMs = mailLimits.retryMs,
  log,
}: {
  settings: MailSettings | undefined;
  retryMs?: readonly number[];
  log: Pick<Log, 'info' | 'warn'>;
}) {
  const turns = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, atOnce: mailLimits.atOnce });
  const sends = new Set<Promise<void>>();
  const retries = new Set<NodeJS.Timeout>();
  const queuedByUser = new Counts();
  const counts: MailMeasurements['counts'] = { sent: 0, failed: 0, dropped: 0 };
  const stop = new AbortController();
  let isClosing = false;
  let isFailing = false;
  let isDropping = false;

  const waiting = () => sends.size + retries.size;

  function settle({ user }: Mail, outcome: keyof typeof counts) {
    counts[outcome] += 1;
    queuedByUser.change(user, -1);
  }

  /** Logs the first failure, and the first success after it. The reason names no user. */
  function logOutage(reason: string | undefined) {
    if (reason !== undefined && !isFailing) log.warn('a mail could not be sent', { host: settings?.host, reason });
    if (reason === undefined && isFailing) log.info('mails are sent again', { host: settings?.host });
    isFailing = reason !== undefined;
  }

  /** One line until nothing waits any more. */
  function drop({ user }: Mail) {
    counts.dropped += 1;
    if (!isDropping) log.warn('mails are dropped: too many wait', { user });
    isDropping = true;
  }

  async function deliver({ mail, tries }: Queued) {
    const { to, subject, text } = mail;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(mailLimits.timeoutMs), stop.signal]);
      await (
        await transportOf(settings!)
      ).sendMail({
        subject,
        text,
        from: settings!.from,
        to: { name: '', address: to },
        // RFC 3834: nobody's absence is answered to it.
        headers: { 'auto-submitted': 'auto-generated' },
        xMailer: false,
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
      settle(mail, 'sent');
      logOutage(undefined);
    } catch (error) {
      logOutage(reasonOf(error));
      const retryAfterMs = isFinal(error) || isClosing || !mail.isVerified ? undefined : retryMs[tries];
      if (retryAfterMs === undefined) settle(mail, 'failed');
      else tryLater({ mail, tries: tries + 1 }, retryAfterMs);
    }
  }

  function tryLater(queued: Queued, retryAfterMs: number) {
    const timer = setTimeout(() => {
      retries.delete(timer);
      enqueue(queued);
    }, retryAfterMs).unref();
    retries.add(timer);
  }

  function enqueue(queued: Queued) {
    const { mail } = queued;
    const sending = turns
      .run({ user: mail.user, signal: stop.signal }, () => deliver(queued))
      // Its turn has not come before the end of the process.
      .catch(() => settle(mail, 'dropped'))
      .finally(() => {
        sends.delete(sending);
        if (waiting() === 0) isDropping = false;
      });
    sends.add(sending);
  }

  return {
    /** Whether the operator has set up a mail server. */
    isAvailable: settings !== undefined,

    /** Returns at once. A mail is dropped if too many wait, of its user or of all, or if the operator has set up no mail server. */
    send(mail: Mail): void {
      if (!settings || isClosing) return;
      if (waiting() >= mailLimits.waiting || queuedByUser.of(mail.user) >= mailLimits.ofUser) return drop(mail);
      queuedByUser.change(mail.user, 1);
      enqueue({ mail, tries: 0 });
    },

    /** Connects and signs in, for the operator. Returns why mails cannot be sent; undefined if they can. */
    async examine(): Promise<{ host: string; failure: string | undefined } | undefined> {
      if (!settings) return undefined;
      const { host } = settings;
      try {
        await (await transportOf(settings)).verify();
        return { host, failure: undefined };
      } catch (error) {
        return { host, failure: (error as Error).message };
      }
    },

    measure: (): MailMeasurements => ({ waiting: waiting(), counts: { ...counts } }),

    /** Sends what waits, for a short time. */
    async close(): Promise<void> {
      isClosing = true;
      for (const timer of retries) clearTimeout(timer);
      counts.dropped += retries.size;
      retries.clear();
      const late = setTimeout(() => stop.abort(), mailLimits.closeMs);
      await Promise.all(sends);
      clearTimeout(late);
    },
  };
}

/** One connection for each mail. The package is loaded with the first one. */
async function transportOf({ host, port, tls, login }: MailSettings) {
  const { createTransport } = await import('nodemailer');
  const { stepMs } = mailLimits;
  return createTransport({
    host,
    port,
    secure: tls === 'start',
    requireTLS: tls === 'upgrade',
    ignoreTLS: tls === 'off',
    ...(login && { auth: login }),
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
  });
}

/** Not the text of the answer, which may have the address of a user. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ');
}

/** The mail server has refused the mail for good, not a moment's load (RFC 5321, 4.2.1), the sign-in to it or TLS. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS';
}

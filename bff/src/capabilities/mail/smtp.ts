/** The operator's mail server: one connection for each mail. */
import type { MailSettings } from '../../core/config/mail-settings.ts';
import { mailLimits } from '../../core/limits/part-limits.ts';

/** Plain text for one address. The caller has checked the address. */
interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Takes some 60 ms, in which all wait. */
export const loadMailer = () => import('nodemailer');

async function transportOf({ host, port, tls, login, greeting }: MailSettings) {
  const { createTransport } = await loadMailer();
  const { stepMs } = mailLimits;
  return createTransport({
    host,
    port,
    secure: tls === 'start',
    requireTLS: tls === 'upgrade',
    ignoreTLS: tls === 'off',
    name: greeting,
    ...(login && { auth: login }),
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
  });
}

export async function sendMail(settings: MailSettings, { to, subject, text }: Mail, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([AbortSignal.timeout(mailLimits.timeoutMs), stop]);
  const transport = await transportOf(settings);
  await transport.sendMail({
    subject,
    text,
    from: settings.from,
    to: { name: '', address: to },
    // RFC 3834: nobody's absence is answered to it.
    headers: { 'auto-submitted': 'auto-generated' },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    signal,
  });
}

/** Connects and signs in. Returns why mails cannot be sent; undefined if they can. */
export async function examineMailServer(settings: MailSettings): Promise<string | undefined> {
  try {
    await (await transportOf(settings)).verify();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Not the text of the answer, which may have the address of a user. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ');
}

/** The mail server has refused the mail for good, not a moment's load (RFC 5321, 4.2.1), the sign-in to it or TLS. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS';
}

/** The mail server has answered to the address, and not to the sender or to a mail of another kind. */
export const isOfAddress = (error: unknown): boolean => (error as { code?: string }).code === 'EENVELOPE';

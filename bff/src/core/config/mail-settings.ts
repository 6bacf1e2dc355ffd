import { isIP } from 'node:net';
import { isMailAddress } from '../limits/mail-address.ts';

/** The mail server of the operator, and from whom mails are. */
export interface MailSettings {
  host: string;
  port: number;
  /** `start`: TLS before anything is sent. `upgrade`: STARTTLS, without which nothing is sent. */
  tls: 'start' | 'upgrade' | 'off';
  login: { user: string; pass: string } | undefined;
  from: { name: string; address: string };
  /** By which the server greets the mail server (RFC 5321, 4.1.1.1): some refuse one without a dot, and the address of the machine itself. */
  greeting: string;
}

type Env = Record<string, string | undefined>;

/** Undefined if the server sends no mail. Adds what is wrong to `faults`, without the value of `SMTP_URL`: it has a password. */
export function readMailSettings(env: Env, { faults }: { faults: string[] }): MailSettings | undefined {
  const { SMTP_URL: url, MAIL_FROM: sender } = env;
  if (!url) {
    if (sender) faults.push('MAIL_FROM: has no effect without SMTP_URL');
    return undefined;
  }
  const server = readServer(url);
  if (!server)
    faults.push(
      'SMTP_URL: takes smtp://mail.example.org with user:password@ before the name, smtps:// for TLS from the start, or ?tls=off at its end for none',
    );
  const from = readSender(sender ?? '');
  if (!from) faults.push('MAIL_FROM: takes an address, like Swarmdeck <swarmdeck@example.org>');
  if (!env['PUBLIC_URL']) faults.push('PUBLIC_URL: must be set with SMTP_URL, because links in mails begin with it');
  return server && from && { ...server, from, greeting: greetingOf({ from, publicUrl: env['PUBLIC_URL'] }) };
}

function readServer(text: string): Omit<MailSettings, 'from' | 'greeting'> | undefined {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.hash)
    return undefined;
  const isOff = url.search === '?tls=off' && url.protocol === 'smtp:';
  const login = readLogin(url);
  if ((url.search && !isOff) || login === null) return undefined;
  const isFromStart = url.protocol === 'smtps:';
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || (isFromStart ? 465 : 587),
    tls: isFromStart ? 'start' : isOff ? 'off' : 'upgrade',
    login,
  };
}

/** Null if only one of both is there, or one cannot be decoded. */
function readLogin({ username, password }: URL): MailSettings['login'] | null {
  if (!username && !password) return undefined;
  if (!username || !password) return null;
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

function readSender(text: string): MailSettings['from'] | undefined {
  const [, name = '', address = text] = /^([^<>"\p{Cc}]{0,60}?)\s*<([^<>]+)>$/u.exec(text) ?? [];
  return isMailAddress(address) ? { name, address } : undefined;
}

/** The name of this server, or else the domain of the sender. Where neither has a dot, the mail server is on the same machine. */
function greetingOf({ from, publicUrl = '' }: { from: MailSettings['from']; publicUrl: string | undefined }): string {
  const names = [URL.parse(publicUrl)?.hostname ?? '', from.address.slice(from.address.lastIndexOf('@') + 1)];
  return names.find((name) => name.includes('.') && !isIP(name)) ?? 'localhost.localdomain';
}

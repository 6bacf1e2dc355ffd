/** The mails about a user's sign-in: plain text, with no word that a user has chosen but the user name. */
import { parseUserAgent } from '../../core/accounts/user-agent.ts';

/** What has changed. By an operator of the server, if the browser is not known. */
export type SignInChange = keyof (typeof texts)['en']['changes'];

interface OfUser {
  user: string;
  /** The name of the server. */
  server: string;
}
interface AccountLink {
  user: string;
  url: string;
}
/** `userAgent`: undefined if an operator of the server has done it. */
interface Change {
  change: SignInChange;
  userAgent: string | undefined;
  at: string;
}
type Written = [subject: string, ...paragraphs: string[]];

const texts = {
  en: {
    hello: (user: string | undefined) => (user === undefined ? 'Hello,' : `Hello ${user},`),
    verify: ({ user, server, url }: OfUser & { url: string }): Written => [
      `${server}: confirm your email address`,
      `Somebody, probably you, has named this email address for the account ${user} at ${server}. To confirm it, open this link within an hour:`,
      url,
      'The address is then used to choose a new password if yours is lost, and to tell you of changes of your sign-in. If it was not you, ignore this email.',
    ],
    link: ({ user, server, url }: OfUser & { url: string }): Written => [
      `${server}: choose a new password`,
      `Somebody, probably you, has lost the password of the account ${user} at ${server}. To choose a new one, open this link within an hour. It works once:`,
      url,
      'If it was not you, ignore this email. Your password stays as it is.',
    ],
    links: ({ server, links }: { server: string; links: string[] }): Written => [
      `${server}: choose a new password`,
      `Somebody, probably you, has lost the password of an account at ${server} with this email address. To choose a new one, open the link of that account within an hour. It works once:`,
      ...links,
      'If it was not you, ignore this email. Your passwords stay as they are.',
    ],
    changed: ({ user, server, changes }: OfUser & { changes: string[] }): Written => [
      `${server}: your sign-in has changed`,
      `The sign-in to your account ${user} at ${server} has changed:`,
      ...changes,
      'If it was not you, change your password under Account, and end all other sessions there. If you cannot sign in, use “I lost my password”, or ask the operator of the server.',
    ],
    detail: ({ at, by }: { at: string; by: string }) => `Time: ${at}\nBy: ${by}`,
    operator: 'the operator of the server',
    browser: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'unknown browser',
    changes: {
      password_changed: 'The password was changed.',
      recovered: 'A new password was set without the old one.',
      recovery_codes_made: 'New recovery codes were made. Those of before no longer work.',
      passkey_added: 'A passkey was added.',
      passkey_removed: 'A passkey was removed.',
      totp_set_up: 'An authenticator app was set up.',
      totp_removed: 'The authenticator app was removed.',
      identity_linked: 'A provider was linked.',
      identity_unlinked: 'A provider was unlinked.',
      address_removed: 'This email address was removed or replaced. No more emails go to it.',
    },
  },
  de: {
    hello: (user: string | undefined) => (user === undefined ? 'Hallo,' : `Hallo ${user},`),
    verify: ({ user, server, url }: OfUser & { url: string }): Written => [
      `${server}: Bestätige deine E-Mail-Adresse`,
      `jemand, vermutlich du, hat diese E-Mail-Adresse für das Konto ${user} bei ${server} angegeben. Öffne zum Bestätigen innerhalb einer Stunde diesen Link:`,
      url,
      'Mit der Adresse kannst du dann ein neues Passwort wählen, wenn du deines verlierst, und du erfährst von Änderungen deiner Anmeldung. Wenn du das nicht warst, ignoriere diese E-Mail.',
    ],
    link: ({ user, server, url }: OfUser & { url: string }): Written => [
      `${server}: Neues Passwort wählen`,
      `jemand, vermutlich du, hat das Passwort des Kontos ${user} bei ${server} verloren. Öffne innerhalb einer Stunde diesen Link, um ein neues zu wählen. Er gilt einmal:`,
      url,
      'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.',
    ],
    links: ({ server, links }: { server: string; links: string[] }): Written => [
      `${server}: Neues Passwort wählen`,
      `jemand, vermutlich du, hat das Passwort eines Kontos bei ${server} mit dieser E-Mail-Adresse verloren. Öffne innerhalb einer Stunde den Link dieses Kontos, um ein neues zu wählen. Er gilt einmal:`,
      ...links,
      'Wenn du das nicht warst, ignoriere diese E-Mail. Deine Passwörter bleiben, wie sie sind.',
    ],
    changed: ({ user, server, changes }: OfUser & { changes: string[] }): Written => [
      `${server}: Deine Anmeldung wurde geändert`,
      `die Anmeldung bei deinem Konto ${user} bei ${server} wurde geändert:`,
      ...changes,
      'Wenn du das nicht warst, ändere unter Konto dein Passwort und beende dort alle anderen Sitzungen. Wenn du dich nicht anmelden kannst, nutze „Passwort verloren“ oder wende dich an den Betreiber des Servers.',
    ],
    detail: ({ at, by }: { at: string; by: string }) => `Zeit: ${at}\nDurch: ${by}`,
    operator: 'Betreiber des Servers',
    browser: (browser: string, system: string) => `${browser} unter ${system}`,
    unknown: 'unbekannter Browser',
    changes: {
      password_changed: 'Das Passwort wurde geändert.',
      recovered: 'Ein neues Passwort wurde ohne das bisherige festgelegt.',
      recovery_codes_made: 'Neue Wiederherstellungscodes wurden erstellt. Die bisherigen gelten nicht mehr.',
      passkey_added: 'Ein Passkey wurde hinzugefügt.',
      passkey_removed: 'Ein Passkey wurde entfernt.',
      totp_set_up: 'Eine Authenticator-App wurde eingerichtet.',
      totp_removed: 'Die Authenticator-App wurde entfernt.',
      identity_linked: 'Ein Anbieter wurde verbunden.',
      identity_unlinked: 'Ein Anbieter wurde getrennt.',
      address_removed: 'Diese E-Mail-Adresse wurde entfernt oder ersetzt. An sie gehen keine E-Mails mehr.',
    },
  },
};

/** Users read of the others in the activity log only. */
export const isMailed = (change: string): change is SignInChange => change in texts.en.changes;

/** English, if there are no texts in the language. */
const textsOf = (language: string) => (/^de\b/.test(language) ? texts.de : texts.en);

interface Mail {
  subject: string;
  text: string;
}
interface InLanguage {
  language: string;
  server: string;
}

function mailOf(hello: string, [subject, ...paragraphs]: Written): Mail {
  return { subject, text: [hello, ...paragraphs].join('\n\n') + '\n' };
}

export function verifyMail({ language, ...given }: InLanguage & { user: string; url: string }): Mail {
  const text = textsOf(language);
  return mailOf(text.hello(given.user), text.verify(given));
}

/** For a lost password. `links`: of all accounts of the address, at least one. */
export function linkMail({ language, server, links }: InLanguage & { links: readonly AccountLink[] }): Mail {
  const text = textsOf(language);
  const [{ user, url }, another] = links as [AccountLink, AccountLink?];
  if (!another) return mailOf(text.hello(user), text.link({ user, server, url }));
  return mailOf(text.hello(undefined), text.links({ server, links: links.map(({ user, url }) => `${user}:\n${url}`) }));
}

export function changeMail({ language, ...given }: InLanguage & { user: string; changes: readonly Change[] }): Mail {
  const text = textsOf(language);
  const changes = given.changes.map(({ change, userAgent, at }) => {
    const by = userAgent === undefined ? text.operator : browserOf(userAgent, text);
    return `${text.changes[change]}\n${text.detail({ at: `${at.slice(0, 16).replace('T', ' ')} UTC`, by })}`;
  });
  return mailOf(text.hello(given.user), text.changed({ ...given, changes }));
}

/** Only names that are known here: the sender of a request chooses the rest. */
function browserOf(userAgent: string, text: (typeof texts)['en']): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser === null) return system ?? text.unknown;
  return system === null ? browser : text.browser(browser, system);
}

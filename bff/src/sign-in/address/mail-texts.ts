/** The mails about a user's sign-in: plain text, with no word that a user has chosen but the user name. */
import { parseUserAgent } from '../user-agent.ts';

/** What has changed. By an operator of the server, if the browser is not known. */
export type SignInChange = keyof (typeof texts)['en']['changes'];

interface OfUser {
  user: string;
  /** The name of the server. */
  server: string;
}
type Written = [subject: string, ...paragraphs: string[]];

const texts = {
  en: {
    hello: (user: string) => `Hello ${user},`,
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
    changed: ({ user, server, what, by, at }: OfUser & { what: string; by: string; at: string }): Written => [
      `${server}: your sign-in has changed`,
      `The sign-in to your account ${user} at ${server} has changed: ${what}`,
      `Time: ${at}\nBy: ${by}`,
      'If it was not you, change your password under Account, and end all other sessions there. If you cannot sign in, use “I lost my password”, or ask the operator of the server.',
    ],
    operator: 'the operator of the server',
    browser: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'unknown browser',
    changes: {
      password_changed: 'the password was changed.',
      recovered: 'a new password was set without the old one.',
      recovery_codes_made: 'new recovery codes were made. Those of before no longer work.',
      passkey_added: 'a passkey was added.',
      passkey_removed: 'a passkey was removed.',
      totp_set_up: 'an authenticator app was set up.',
      totp_removed: 'the authenticator app was removed.',
      identity_linked: 'a provider was linked.',
      identity_unlinked: 'a provider was unlinked.',
      address_removed: 'this email address was removed or replaced. No more emails go to it.',
    },
  },
  de: {
    hello: (user: string) => `Hallo ${user},`,
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
    changed: ({ user, server, what, by, at }: OfUser & { what: string; by: string; at: string }): Written => [
      `${server}: Deine Anmeldung wurde geändert`,
      `die Anmeldung bei deinem Konto ${user} bei ${server} wurde geändert: ${what}`,
      `Zeit: ${at}\nDurch: ${by}`,
      'Wenn du das nicht warst, ändere unter Konto dein Passwort und beende dort alle anderen Sitzungen. Wenn du dich nicht anmelden kannst, nutze „Passwort verloren“ oder wende dich an den Betreiber des Servers.',
    ],
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

/** English, if there are no texts in the language. */
const textsOf = (language: string) => (/^de\b/.test(language) ? texts.de : texts.en);

interface Addressed extends OfUser {
  to: string;
  language: string;
}

function mailOf({ to, language, user }: Addressed, [subject, ...paragraphs]: Written) {
  return { to, subject, text: [textsOf(language).hello(user), ...paragraphs].join('\n\n') + '\n' };
}

/** `kind`: what the link is for. */
export const linkMail = ({ kind, ...given }: Addressed & { kind: 'verify' | 'link'; url: string }) =>
  mailOf(given, textsOf(given.language)[kind](given));

/** `userAgent`: undefined if an operator of the server has done it. */
export function changeMail(
  given: Addressed & { change: SignInChange; userAgent: string | undefined; at: Date },
): ReturnType<typeof mailOf> {
  const { language, change, userAgent, at } = given;
  const text = textsOf(language);
  const by = userAgent === undefined ? text.operator : browserOf(userAgent, text);
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return mailOf(given, text.changed({ ...given, what: text.changes[change], by, at: time }));
}

/** Only names that are known here: the sender of a request chooses the rest. */
function browserOf(userAgent: string, text: (typeof texts)['en']): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser === null) return system ?? text.unknown;
  return system === null ? browser : text.browser(browser, system);
}

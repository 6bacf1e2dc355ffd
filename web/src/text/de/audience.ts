import { deviceCount, plural, userCountDative } from './plural.ts';

/** Wer ein Gerät wegen seiner Schwärme sieht. */
export const audience = {
  title: 'Wer das sieht',
  title_of_swarm: 'Wer diese Geräte sieht',
  text: 'Alle auf dieser Liste sehen Name, Typ, Beschreibung, Position und letztes Lebenszeichen des Geräts. Wird seine Strecke aufgezeichnet, sehen sie auch die Strecke. Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen, können seine Nachrichten lesen, auch aus den 24 Stunden vor ihrem Beitritt. Werden seine Werte aufgezeichnet, sehen sie auch die Werte seit ihrem Beitritt, bis zu ein Jahr lang.',
  text_of_swarm:
    'Alle auf dieser Liste sehen Name, Typ, Beschreibung, Position und letztes Lebenszeichen jedes Geräts. Wird die Strecke eines Geräts aufgezeichnet, sehen sie auch die Strecke. Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen, können die Nachrichten lesen, auch aus den 24 Stunden vor ihrem Beitritt. Werden die Werte eines Geräts aufgezeichnet, sehen sie auch die Werte seit ihrem Beitritt, bis zu ein Jahr lang.',
  none: 'Das Gerät ist in keinem Schwarm, also sehen es andere Benutzer nicht. Was es in den letzten 24 Stunden an einen Schwarm gesendet hat, kann dort noch gelesen werden.',
  unchanged: 'Seit {date} unverändert, bis auf die Anzahlen',
  /** Von einem Gerät in einem Schwarm mit Links, die Geräte zeigen. */
  unchanged_but_links: 'Seit {date} unverändert, bis auf die Anzahlen und das, was Links zeigen',
  roles: { owner: 'Besitzer', manager: 'Verwalter', watcher: 'Beobachter' },
  since: 'seit {date}',
  leaves: 'Das Gerät ist bis {date} in diesem Schwarm.',
  you: '{name} (du)',
  deleted: 'Gelöschtes Konto',
  users: (count: number, own: number) =>
    own === 0
      ? plural(count, {
          one: '# Benutzer hat Geräte in diesem Schwarm.',
          other: '# Benutzer haben Geräte in diesem Schwarm.',
        })
      : count === 1
        ? 'Nur du hast Geräte in diesem Schwarm.'
        : plural(count, { other: '# Benutzer, darunter du, haben Geräte in diesem Schwarm.' }),
  receivers: (devices: number, users: number, own: number) => {
    if (devices === 0) return 'Kein Gerät empfängt Nachrichten.';
    if (own === devices)
      return plural(devices, {
        one: '# deiner Geräte empfängt Nachrichten.',
        other: '# deiner Geräte empfangen Nachrichten.',
      });
    if (users === 1)
      return plural(devices, {
        one: '# Gerät empfängt Nachrichten.',
        other: '# Geräte eines Benutzers empfangen Nachrichten.',
      });
    return `${deviceCount(devices)} von ${userCountDative(users)}${own > 0 ? ', auch von dir,' : ''} empfangen Nachrichten.`;
  },
  other_receivers: (devices: number, users: number, own: number) => {
    if (devices === 0) return 'Kein anderes Gerät empfängt Nachrichten.';
    if (own === devices)
      return plural(devices, {
        one: '# weiteres deiner Geräte empfängt Nachrichten.',
        other: '# weitere deiner Geräte empfangen Nachrichten.',
      });
    if (users === 1)
      return plural(devices, {
        one: '# anderes Gerät empfängt Nachrichten.',
        other: '# andere Geräte eines Benutzers empfangen Nachrichten.',
      });
    return `${plural(devices, { one: '# anderes Gerät', other: '# andere Geräte' })} von ${userCountDative(users)}${own > 0 ? ', auch von dir,' : ''} empfangen Nachrichten.`;
  },
  received: {
    yes: 'An diesem Tag konnte mindestens ein Gerät Nachrichten empfangen.',
    no: 'An diesem Tag konnte kein Gerät Nachrichten empfangen.',
  },
  reach: {
    private: 'Niemand kann um Beitritt bitten.',
    open: 'Alle, die die Webadresse dieses Schwarms haben, können um Beitritt bitten. Wer nur bittet, sieht keine Geräte.',
    listed: 'Alle können diesen Schwarm finden und um Beitritt bitten. Wer nur bittet, sieht keine Geräte.',
  },
  open_links: (count: number) =>
    plural(count, {
      one: 'Es gibt # offenen Link zum Beitreten. Alle mit dem Link können ohne Anfrage beitreten.',
      other: 'Es gibt # offene Links zum Beitreten. Alle mit einem dieser Links können ohne Anfrage beitreten.',
    }),
  agreed: (then: number, now: number) =>
    `Andere Geräte, die Nachrichten empfangen: ${plural(then, { other: '#' })} beim Beitritt des Geräts ({date}), jetzt ${plural(now, { other: '#' })}.`,
  day: 'Früheren Tag zeigen',
  today: 'Heute zeigen',
  unknown: 'Für diesen Tag gibt es keine Angaben.',
  past: 'Für diesen Tag nicht gezeigt: Links, die Anzahlen von Benutzern und Geräten, und Schwärme, die das Gerät später verlassen hat.',
  past_of_swarm: 'Für diesen Tag nicht gezeigt: Links und die Anzahlen von Benutzern und Geräten.',
  changes_from: (days: number) => `Änderungen werden ${days} Tage lang aufbewahrt.`,
  more: 'Weitere Schwärme zeigen',
  end: 'Das Gerät ist in mehr Schwärmen, als diese Liste zeigt. Wer es dort sieht, steht auf der Seite jedes Schwarms.',
  card: {
    seen: 'Sichtbar für {names}.',
    only_you: 'Andere Benutzer sehen es nicht.',
    named: (count: number) => plural(count, { one: '# weiteren Benutzer', other: '# weitere Benutzer' }),
    members: (count: number) => plural(count, { other: 'alle mit einem Gerät im selben Schwarm (# außer dir)' }),
    members_of_many: (swarms: number) => `Benutzer mit Geräten in einem seiner ${swarms} Schwärme`,
  },
  grown: {
    owner: 'neuer Besitzer {names}',
    owner_links:
      'Der neue Besitzer kann Links erstellen, die Geräte zeigen: von deinen nur die, für die du es erlaubt hast.',
    manager: (count: number) => plural(count, { one: 'neuer Verwalter {names}', other: 'neue Verwalter {names}' }),
    watcher: (count: number) => plural(count, { one: 'neuer Beobachter {names}', other: 'neue Beobachter {names}' }),
    receivers:
      'In {swarm} empfangen jetzt Geräte anderer Benutzer Nachrichten. Ihre Besitzer sehen auch deine Geräte und wo diese sind.',
    links:
      '{swarm} hat einen neuen Link zum Beitreten. Wer ihn hat, kann jetzt ohne Anfrage beitreten und sieht dann deine Geräte.',
    guests:
      '{swarm} hat jetzt einen Link, der Geräte zeigt: von deinen nur die, für die du es erlaubt hast. Alle mit dem Link sehen sie, auch ohne Konto.',
    open: 'Alle, die die Webadresse von {swarm} haben, können jetzt um Beitritt bitten. Wer nur bittet, sieht deine Geräte nicht.',
    listed: 'Alle können {swarm} jetzt finden und um Beitritt bitten. Wer nur bittet, sieht deine Geräte nicht.',
    see: 'Wer das sieht',
    leave: 'Verlassen …',
  },
  leave_text: (count: number) =>
    plural(count, {
      one: 'Dein Gerät verlässt den Schwarm. Du kannst das kurz danach noch rückgängig machen. Danach kann es nur durch einen neuen Beitritt zurückkommen. Was es gesendet hat, kann im Schwarm noch bis zu 24 Stunden gelesen werden.',
      other:
        'Deine # Geräte verlassen den Schwarm. Du kannst das kurz danach noch rückgängig machen. Danach können sie nur durch einen neuen Beitritt zurückkommen. Was sie gesendet haben, kann im Schwarm noch bis zu 24 Stunden gelesen werden.',
    }),
  leave_none: 'Keines deiner Geräte ist in diesem Schwarm.',
} as const;

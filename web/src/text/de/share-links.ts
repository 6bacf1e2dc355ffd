import { deviceCount, plural } from './plural.ts';

/** Texte der Links, die ein Gerät Personen ohne Konto zeigen, und der Seite, die diese sehen. */
export const shareLinks = {
  title: 'Links, die dieses Gerät zeigen',
  none: 'Keine offenen Links. Mit einem Link sehen Personen ohne Konto, wo dieses Gerät ist, bis der Link endet.',
  create: 'Link erstellen',
  create_title: 'Link erstellen, der dieses Gerät zeigt',
  create_text:
    'Bis der Link endet, sehen alle mit dem Link Name und Position von {device} und deinen Benutzernamen. Nachrichten sind nicht zu sehen.',
  name: 'Name des Links',
  name_hint: 'Nur du siehst ihn.',
  name_placeholder: 'Für meinen Besuch',
  end_wrong: 'Wähle ein Ende, das mindestens 1 Stunde und höchstens 30 Tage entfernt ist.',
  with_track: 'Auch die Strecke des Geräts seit dem Erstellen des Links zeigen',
  no_track: 'Der Link zeigt keine Strecke, weil die Strecke dieses Geräts nicht aufgezeichnet wird.',
  is_sent: 'Der Link wird vielleicht noch erstellt. Beende ihn in der Liste, wenn du ihn nicht verwendest.',
  created_title: 'Link {name}',
  created_text:
    'Kopiere den Link jetzt: Du siehst ihn nur einmal. Bis er endet, können alle mit dem Link ihn verwenden.',
  lost_title: 'Schließen, ohne den Link zu kopieren?',
  lost_text:
    'Du hast den Link nicht kopiert. Er kann nicht noch einmal angezeigt werden. Nur wer seinen QR-Code gescannt hat, kann ihn öffnen.',
  lost_close: 'Schließen',
  lost_back: 'Zurück zum Link',
  copy: 'Link kopieren',
  shows_position: 'Position',
  shows_track: 'Position und Strecke seit dem Erstellen',
  created: 'Erstellt {date}',
  opened: 'Zuletzt geöffnet {age}',
  not_opened: 'Noch nicht geöffnet',
  viewers: (count: number) =>
    plural(count, {
      one: 'gerade in mindestens # Browserfenster offen',
      other: 'gerade in mindestens # Browserfenstern offen',
    }),
  shown_by: (count: number) =>
    plural(count, {
      one: '# Link zeigt dieses Gerät bis {date}. Alle mit dem Link sehen das Gerät.',
      other: '# Links zeigen dieses Gerät, der längste bis {date}. Alle mit einem dieser Links sehen das Gerät.',
    }),
  looking: (count: number) =>
    plural(count, {
      one: 'Das Gerät wird gerade in mindestens # Browserfenster gezeigt.',
      other: 'Das Gerät wird gerade in mindestens # Browserfenstern gezeigt.',
    }),
  show_links: 'Links zeigen',
  change_title: 'Ende von {name} ändern',
  end: 'Jetzt beenden',
  end_of: (name: string) => `Jetzt beenden: ${name}`,
  end_title: '{name} beenden?',
  end_text:
    'Der Link endet sofort, auch für alle, die ihn gerade offen haben. Er kann danach nicht mehr verwendet werden.',
  consent: {
    allow: 'Links dieses Schwarms erlauben, das Gerät zu zeigen',
    hint: 'Der Besitzer des Schwarms, auch ein späterer, kann Links erstellen. Wer einen solchen Link hat, sieht Name und Position des Geräts, auch ohne Konto. Du kannst das jederzeit ändern.',
    allow_many: 'Links dieses Schwarms erlauben, diese Geräte zu zeigen',
    hint_many:
      'Der Besitzer des Schwarms, auch ein späterer, kann Links erstellen. Wer einen solchen Link hat, sieht Namen und Positionen dieser Geräte, auch ohne Konto. Du kannst das jederzeit ändern.',
    menu: 'Für Links freigeben …',
    menu_stop: 'Nicht mehr durch Links zeigen …',
    title: 'Links von {swarm} erlauben, {device} zu zeigen?',
    text: 'Der Besitzer von {swarm}, auch ein späterer, kann Links erstellen. Wer einen solchen Link hat, sieht Name und Position von {device}, auch ohne Konto. Du kannst das jederzeit ändern.',
    confirm: 'Links erlauben',
    stop_title: '{device} nicht mehr durch Links von {swarm} zeigen?',
    stop_text:
      'Das Gerät verschwindet sofort von allen Seiten dieser Links. Wer den Schwarm sieht, sieht das Gerät weiterhin.',
    stop: 'Nicht mehr zeigen',
    shown: 'Du erlaubst Links dieses Schwarms, das Gerät zu zeigen.',
    not_shown: 'Du erlaubst Links dieses Schwarms nicht, das Gerät zu zeigen.',
    open: (count: number) =>
      plural(count, {
        one: 'Jetzt gibt es # Link. Alle mit diesem Link sehen das Gerät.',
        other: 'Jetzt gibt es # Links. Alle mit einem solchen Link sehen das Gerät.',
      }),
    none_open: 'Zurzeit gibt es keinen Link.',
    open_now: (count: number) =>
      plural(count, {
        one: 'Zurzeit ist # Link offen, der Geräte zeigt. Alle mit diesem Link sehen das Gerät sofort.',
        other: 'Zurzeit sind # Links offen, die Geräte zeigen. Alle mit einem solchen Link sehen das Gerät sofort.',
      }),
    counting: 'Die offenen Links werden gezählt …',
    count_failed: 'Wie viele Links offen sind, konnte nicht geladen werden.',
    of_swarm: (count: number) =>
      plural(count, {
        one: '# Link zeigt Geräte, deren Besitzer das erlauben. Alle mit diesem Link sehen diese Geräte.',
        other: '# Links zeigen Geräte, deren Besitzer das erlauben. Alle mit einem solchen Link sehen diese Geräte.',
      }),
  },
  swarm: {
    title: 'Links, die diese Geräte zeigen',
    none: 'Keine offenen Links. Ein Link zeigt Personen ohne Konto die Geräte, deren Besitzer das erlauben.',
    create_title: 'Link erstellen, der diese Geräte zeigt',
    create_text:
      'Bis der Link endet, sehen alle mit dem Link deinen Benutzernamen und von jedem Gerät, dessen Besitzer das erlaubt, Name und Position. Ist es der einzige Link des Schwarms, der Geräte zeigt, bekommen diese Besitzer eine Benachrichtigung. Schwarm und Nachrichten sind nicht zu sehen.',
    name_placeholder: 'Für die Seite der Regatta',
    shows_now: (count: number) =>
      count === 0
        ? 'Noch erlaubt das kein Besitzer. Der Link zeigt jetzt also kein Gerät.'
        : plural(count, { one: 'Der Link zeigt jetzt # Gerät.', other: 'Der Link zeigt jetzt # Geräte.' }),
    shows: (count: number) =>
      count === 0 ? 'Noch kein Gerät: Ein Gerätebesitzer muss es erlauben' : deviceCount(count),
  },
  guest: {
    title: 'Geteiltes Gerät',
    title_of_many: 'Geteilte Geräte',
    devices: (count: number) => (count === 0 ? 'Zurzeit wird kein Gerät gezeigt.' : `${deviceCount(count)}.`),
    choose: 'Wähle ein Gerät auf der Karte oder in der Liste.',
    device: 'Gerät',
    all_devices: 'Alle Geräte',
    shared_by: 'Geteilt von {user}, bis {date}',
    located: 'Letzte Position: {age}',
    open_map: 'In einer Karten-App öffnen',
    no_position: 'Noch keine Position.',
    connecting: 'Verbinden…',
    live: 'Live',
    connected: 'Eine neue Position erscheint hier von selbst.',
    old: 'Die letzte Position ist mehr als 5 Minuten alt. Eine neue erscheint hier von selbst.',
    lost: 'Nicht live. Neuer Versuch…',
    offline: 'Nicht live: kein Netz.',
    busy: 'Gerade sehen zu viele zu. Neuer Versuch…',
    ended: 'Dieser Link ist nicht gültig',
    ended_text: 'Er ist beendet oder nicht vollständig. Bitte die Person, die ihn gesendet hat, um einen neuen.',
    ended_by: 'Der Link von {user} ist beendet.',
    expired_text: 'Der Link von {user} endete am {date}.',
  },
};

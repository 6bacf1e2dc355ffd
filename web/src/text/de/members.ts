import { deviceCount } from './plural.ts';

export const members = {
  table: 'Mitglieder',
  sheet: 'Höhe der Mitgliederliste',
  search: 'Mitglieder suchen',
  search_hint: 'Name, Besitzer, ID',
  sort_by: (order: string) => `Sortierung: ${order}`,
  sort: {
    name: 'Name',
    owner: 'Besitzer',
    '-changed': 'Letzte Änderung',
    '-heard': 'Zuletzt gehört',
    '-joined': 'Zuletzt beigetreten',
    '-value': 'Höchster Wert',
    value: 'Niedrigster Wert',
  },
  filters: 'Filter',
  add: 'Eigene hinzufügen',
  begin_selection: 'Mitglieder auswählen',
  device: 'Gerät',
  owner: 'Besitzer',
  role: 'Rolle',
  heard: 'Gehört',
  selected: 'Ausgewählt',
  actions: 'Aktionen',
  actions_of: (name: string) => `Aktionen für ${name}`,
  open: 'Gerät öffnen',
  make: (role: string) => `Rolle ändern: ${role}`,
  only: (role: string) => `Rolle ändern: nur ${role}`,
  invite_as: (role: string) => `Auch einladen: ${role}`,
  remove: 'Aus Schwarm entfernen',
  leave: {
    action: 'Verlassen',
    of: (swarm: string) => `${swarm} verlassen`,
    menu: 'Schwarm verlassen …',
    title: '{swarm} verlassen?',
    text: '{device} verlässt den Schwarm. Du kannst das kurz danach noch rückgängig machen. Danach kann es nur durch einen neuen Beitritt zurückkommen. Was es gesendet hat, kann im Schwarm noch bis zu 24 Stunden gelesen werden.',
    sees_public:
      'Wenn du kein anderes Gerät im Schwarm hast und ihn weder verwaltest noch beobachtest, siehst du seine Mitglieder und ihre Positionen nicht mehr. Der Schwarm ist öffentlich: Name, Besitzer, Beschreibung und Anzahl der Mitglieder, und wann er angelegt wurde und zuletzt aktiv war, siehst du weiterhin.',
    sees_private:
      'Wenn du kein anderes Gerät im Schwarm hast und ihn weder verwaltest noch beobachtest, siehst du den Schwarm, seine Mitglieder und ihre Positionen nicht mehr.',
    leaving: 'Wird verlassen …',
  },
  adding: 'Wird hinzugefügt …',
  removing_short: 'Wird entfernt …',
  extending: 'Wird verlängert …',
  narrowing: 'Rolle wird geändert …',
  role_of: (name: string) => `Rolle in ${name}`,
  adding_title: 'Deine Geräte werden hinzugefügt',
  adding_text: 'Sie erscheinen hier nach und nach.',
  empty_title: 'Noch keine Mitglieder',
  empty_text: (relation: string) =>
    relation === 'owner'
      ? 'Füge eigene Geräte hinzu, oder lade andere über ihre Einladungscodes ein.'
      : relation === 'manager'
        ? 'Lade Geräte über ihre Einladungscodes ein.'
        : 'Geräte erscheinen hier, sobald sie beitreten.',
  no_match_title: 'Keine Ergebnisse',
  no_match_text: 'Kein Mitglied passt zu deiner Suche und deinen Filtern.',
  clear: 'Suche und Filter entfernen',
  error_title: 'Die Mitglieder konnten nicht geladen werden',
} as const;

export const addMembers = {
  title: 'Eigene Geräte hinzufügen',
  text: 'Deine eigenen Geräte treten sofort bei, ohne Einladung.',
  consent: (members: number) =>
    `*Verwalter, Beobachter und Mitglieder* des Schwarms sehen jedes Gerät, das beitritt: Name, Typ, Beschreibung, Position und letztes Lebenszeichen. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt.\n*Verwalter, Beobachter und alle, deren Geräte empfangen,* können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte.\nVerstummt ein Gerät, können *Verwalter und Beobachter* benachrichtigt werden.\nDer Schwarm hat jetzt ${deviceCount(members)}.`,
  role: 'Rolle',
  search: 'Deine Geräte durchsuchen',
  search_hint: 'Name, Beschreibung oder ID',
  devices: 'Deine Geräte',
  all: (count: string) => `Alle ${count} Geräte auswählen`,
  all_matching: (count: string) => `Alle ${count} passenden Geräte auswählen`,
  already: { producer: 'sendet schon', consumer: 'empfängt schon', both: 'tut schon beides' },
  /** A device that gets a second role. */
  will_do_both: { producer: 'sendet: wird auch empfangen', consumer: 'empfängt: wird auch senden' },
  asked: 'schon angefragt',
  submit: (count: number) => (count === 0 ? 'Geräte hinzufügen' : `${deviceCount(count)} hinzufügen`),
  selected: (text: string) => `${text} ausgewählt`,
  none: 'Kein Gerät passt zu deiner Suche.',
  none_at_all: 'Du hast noch keine Geräte. Füge eines unter „Geräte“ hinzu.',
} as const;

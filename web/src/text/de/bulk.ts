import { deviceCount, invitationCount, plural, swarmCount } from './plural.ts';

/** Texts of each action on devices. `count` is a number of devices. */
const actions = {
  delete: {
    title: (count: number) => `${deviceCount(count)} löschen?`,
    text: 'Gelöschte Geräte werden auch aus allen Schwärmen entfernt. Du kannst das später unter „Aktivität“ rückgängig machen: Die Geräte kommen mit ihren Rollen in deinen eigenen Schwärmen zurück, aber ohne ihre Schlüssel, Links, Nachrichten, Strecken und aufgezeichneten Werte. In andere Schwärme müssen sie neu eingeladen werden.',
    others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
    confirm: (count: number) => `${deviceCount(count)} löschen`,
  },
  set_type: {
    title: (count: number) => `Gerätetyp ändern: ${deviceCount(count)}`,
    text: 'Die anderen Felder bleiben, wie sie sind. Du kannst das später unter „Aktivität“ rückgängig machen.',
    others: (count: number) => plural(count, { one: '# hat schon diesen Typ.', other: '# haben schon diesen Typ.' }),
    confirm: (count: number) => `${deviceCount(count)} ändern`,
  },
  set_description: {
    title: (count: number) => `Beschreibung ändern: ${deviceCount(count)}`,
    text: 'Sie ersetzt die Beschreibung jedes Geräts. Leer lassen, um die Beschreibungen zu entfernen. Du kannst das später unter „Aktivität“ rückgängig machen.',
    others: (count: number) =>
      plural(count, { one: '# hat schon diese Beschreibung.', other: '# haben schon diese Beschreibung.' }),
    confirm: (count: number) => `${deviceCount(count)} ändern`,
  },
  set_expected: {
    title: (count: number) => `Erwarteten Abstand ändern: ${deviceCount(count)}`,
    text: 'Die anderen Felder bleiben, wie sie sind. Du kannst das später unter „Aktivität“ rückgängig machen.',
    others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
    confirm: (count: number) => `${deviceCount(count)} ändern`,
  },
  add_to_swarm: {
    title: (count: number) => `${deviceCount(count)} zu einem Schwarm hinzufügen`,
    text: 'Verwalter, Beobachter und Mitglieder des Schwarms sehen jedes Gerät, das du hinzufügst: Name, Typ, Beschreibung, Position und letztes Lebenszeichen. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt. Verwalter, Beobachter und alle, deren Geräte empfangen, können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte. Verstummt ein Gerät, können Verwalter und Beobachter benachrichtigt werden.',
    others: (count: number) =>
      plural(count, {
        one: '# ist schon Mitglied und behält seine Rolle.',
        other: '# sind schon Mitglied und behalten ihre Rolle.',
      }),
    confirm: (count: number) => `${deviceCount(count)} hinzufügen`,
  },
  leave_swarm: {
    title: (count: number) => `${deviceCount(count)} aus einem Schwarm entfernen`,
    text: 'Entfernte Geräte bleiben in deinem Konto und in anderen Schwärmen. Was sie gesendet haben, kann in diesem Schwarm noch bis zu 24 Stunden gelesen werden.',
    others: (count: number) => plural(count, { one: '# ist kein Mitglied.', other: '# sind keine Mitglieder.' }),
    confirm: (count: number) => `${deviceCount(count)} entfernen`,
  },
  export: {
    title: (count: number) => `${deviceCount(count)} exportieren`,
    text: 'Jede Zeile enthält die ID ihres Geräts. Dieselbe Datei zu importieren ändert nichts.',
    others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
    confirm: (count: number) => `${deviceCount(count)} exportieren`,
    done: (count: number) => `${deviceCount(count)} exportiert`,
  },
  copy_codes: {
    title: (count: number) => plural(count, { one: '# Einladungscode kopieren', other: '# Einladungscodes kopieren' }),
    text: 'Ein Link für jedes Gerät, einer pro Zeile. Füge sie unter „Einladen“ ein, oder sende sie dem Besitzer eines Schwarms.',
    others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
    confirm: (count: number) => plural(count, { one: '# Code kopieren', other: '# Codes kopieren' }),
    done: (count: number) => plural(count, { one: '# Einladungscode kopiert', other: '# Einladungscodes kopiert' }),
  },
  print_codes: {
    title: (count: number) => plural(count, { one: '# QR-Code drucken', other: '# QR-Codes drucken' }),
    text: 'Jedes Gerät erhält ein Etikett mit seinem Namen und seinem Einladungscode, den der Besitzer eines Schwarms scannen kann.',
    others: (count: number) =>
      plural(count, {
        one: '# wird übersprungen: Drucke es einzeln.',
        other: '# werden übersprungen: Drucke sie getrennt.',
      }),
    confirm: (count: number) => plural(count, { one: '# Code drucken', other: '# Codes drucken' }),
  },
  create_keys: {
    title: (count: number) => `Schlüssel für ${deviceCount(count)} erstellen`,
    text: 'Jedes Gerät bekommt einen weiteren eigenen Schlüssel. Ein Programm kann damit nur Nachrichten des Geräts senden und empfangen sowie seine Angaben lesen und ändern. Du erhältst die Schlüssel als CSV-Datei.',
    others: (count: number) =>
      plural(count, {
        one: '# wird übersprungen: Erstelle seinen Schlüssel einzeln.',
        other: '# werden übersprungen: Erstelle ihre Schlüssel getrennt.',
      }),
    confirm: (count: number) => plural(count, { one: '# Schlüssel erstellen', other: '# Schlüssel erstellen' }),
  },
};

/** Texts of each action on the members of a swarm. */
const memberActions = {
  change_role: {
    title: (count: number) => `Rolle ändern: ${deviceCount(count)}`,
    text: 'Bei fremden Geräten kannst du nur eine der bisherigen Rollen beibehalten. Die andere kommt nur mit einer neuen Einladung zurück.',
    others: (count: number) =>
      plural(count, {
        one: '# wird übersprungen: Es hat diese Rolle schon oder braucht für diese Rolle eine Einladung.',
        other: '# werden übersprungen: Sie haben diese Rolle schon oder brauchen für diese Rolle eine Einladung.',
      }),
    confirm: (count: number) => `${deviceCount(count)} ändern`,
  },
  offer_end: {
    title: (count: number) => `Späteres Ende anbieten: ${deviceCount(count)}`,
    text: 'Die Besitzer bekommen eine Einladung. Bis sie diese annehmen, ändert sich nichts.',
    others: (count: number) =>
      plural(count, {
        one: '# wird übersprungen: Es endet nicht vorher, oder es gehört dem Besitzer des Schwarms.',
        other: '# werden übersprungen: Sie enden nicht vorher, oder sie gehören dem Besitzer des Schwarms.',
      }),
    confirm: (count: number) => plural(count, { one: '# Angebot senden', other: '# Angebote senden' }),
  },
  remove: {
    title: (count: number) => `${deviceCount(count)} aus dem Schwarm entfernen?`,
    text: 'Die Besitzer behalten ihre Geräte und sehen, dass die Geräte entfernt wurden. Du kannst das kurz danach noch rückgängig machen.',
    others: (count: number) =>
      plural(count, {
        one: '# wird übersprungen: Es gehört jemand anderem.',
        other: '# werden übersprungen: Sie gehören anderen.',
      }),
    confirm: (count: number) => `${deviceCount(count)} entfernen`,
  },
  export: {
    ...actions.export,
    text: 'Die Datei enthält auch Besitzer und Rollen.',
  },
};

/** Texts of the kinds of actions: of one item and of many, while they run and when they are done; and what failed. */
const kinds = {
  update: {
    one: '{name} wird geändert',
    one_done: '{name} geändert',
    many: (count: number) => plural(count, { one: '# Gerät wird geändert', other: '# Geräte werden geändert' }),
    many_done: (count: number) => `${deviceCount(count)} geändert`,
    failed: (count: number) =>
      plural(count, { one: '# Gerät wurde nicht geändert', other: '# Geräte wurden nicht geändert' }),
  },
  delete: {
    one: '{name} wird gelöscht',
    one_done: '{name} gelöscht',
    many: (count: number) => plural(count, { one: '# Gerät wird gelöscht', other: '# Geräte werden gelöscht' }),
    many_done: (count: number) => `${deviceCount(count)} gelöscht`,
    failed: (count: number) =>
      plural(count, { one: '# Gerät wurde nicht gelöscht', other: '# Geräte wurden nicht gelöscht' }),
  },
  add_member: {
    one: '{name} wird zu {swarm} hinzugefügt',
    one_done: '{name} zu {swarm} hinzugefügt',
    many: (count: number) =>
      plural(count, {
        one: '# Gerät wird zu {swarm} hinzugefügt',
        other: '# Geräte werden zu {swarm} hinzugefügt',
      }),
    many_done: (count: number) => `${deviceCount(count)} zu {swarm} hinzugefügt`,
    failed: (count: number) =>
      plural(count, { one: '# Gerät wurde nicht hinzugefügt', other: '# Geräte wurden nicht hinzugefügt' }),
  },
  change_role: {
    one: 'Rolle von {name} wird geändert',
    one_done: 'Rolle von {name} geändert',
    many: (count: number) =>
      plural(count, { one: 'Rolle von # Gerät wird geändert', other: 'Rolle von # Geräten wird geändert' }),
    many_done: (count: number) =>
      plural(count, { one: 'Rolle von # Gerät geändert', other: 'Rolle von # Geräten geändert' }),
    failed: (count: number) =>
      plural(count, { one: '# Rolle wurde nicht geändert', other: '# Rollen wurden nicht geändert' }),
  },
  remove_member: {
    one: '{name} wird aus {swarm} entfernt',
    one_done: '{name} aus {swarm} entfernt',
    many: (count: number) =>
      plural(count, { one: '# Gerät wird aus {swarm} entfernt', other: '# Geräte werden aus {swarm} entfernt' }),
    many_done: (count: number) => `${deviceCount(count)} aus {swarm} entfernt`,
    failed: (count: number) =>
      plural(count, { one: '# Gerät wurde nicht entfernt', other: '# Geräte wurden nicht entfernt' }),
  },
  extend_member: {
    one: 'Mitgliedschaft von {name} wird verlängert',
    one_done: 'Mitgliedschaft von {name} verlängert',
    many: (count: number) =>
      plural(count, {
        one: 'Mitgliedschaft von # Gerät wird verlängert',
        other: 'Mitgliedschaften von # Geräten werden verlängert',
      }),
    many_done: (count: number) =>
      plural(count, {
        one: 'Mitgliedschaft von # Gerät verlängert',
        other: 'Mitgliedschaften von # Geräten verlängert',
      }),
    failed: (count: number) =>
      plural(count, {
        one: '# Mitgliedschaft wurde nicht verlängert',
        other: '# Mitgliedschaften wurden nicht verlängert',
      }),
  },
  offer_end: {
    one: 'Späteres Ende für {name} wird angeboten',
    one_done: 'Späteres Ende für {name} angeboten',
    many: (count: number) =>
      plural(count, {
        one: 'Späteres Ende für # Gerät wird angeboten',
        other: 'Späteres Ende für # Geräte wird angeboten',
      }),
    many_done: (count: number) => `Späteres Ende für ${deviceCount(count)} angeboten`,
    failed: (count: number) =>
      plural(count, { one: '# Angebot wurde nicht gesendet', other: '# Angebote wurden nicht gesendet' }),
  },
  delete_swarm: {
    one: '{name} wird gelöscht',
    one_done: '{name} gelöscht',
    many: (count: number) => plural(count, { one: '# Schwarm wird gelöscht', other: '# Schwärme werden gelöscht' }),
    many_done: (count: number) => plural(count, { one: '# Schwarm gelöscht', other: '# Schwärme gelöscht' }),
    failed: (count: number) =>
      plural(count, {
        one: 'Der Schwarm konnte nicht gelöscht werden',
        other: '# Schwärme konnten nicht gelöscht werden',
      }),
  },
  delete_view: {
    one: 'Ansicht {name} wird gelöscht',
    one_done: 'Ansicht {name} gelöscht',
    many: (count: number) => plural(count, { one: '# Ansicht wird gelöscht', other: '# Ansichten werden gelöscht' }),
    many_done: (count: number) => plural(count, { one: '# Ansicht gelöscht', other: '# Ansichten gelöscht' }),
    failed: (count: number) =>
      plural(count, {
        one: 'Die Ansicht konnte nicht gelöscht werden',
        other: '# Ansichten konnten nicht gelöscht werden',
      }),
  },
};

/** Texts of bulk actions. */
export const bulk = {
  selection: {
    region: 'Auswahl',
    count: (count: string) => `${count} ausgewählt`,
    hidden: (count: string) => `${count} nicht in dieser Liste`,
    all: (total: string) => `Alle ${total} auswählen`,
    all_short: (total: string) => `Alle ${total}`,
    clear: 'Auswahl aufheben',
  },
  actions,
  member_actions: memberActions,
  kinds,
  offer_end_problems: { 'membership.exists': 'Es endet nicht vorher.' },
  /** Of an action that can be undone. */
  pending: {
    sending: 'Wird gesendet …',
    region: 'Ausstehende Aktionen',
    undo_within: (seconds: string) => `Du kannst das ${seconds} Sekunden lang rückgängig machen.`,
    undo_within_keys: (seconds: string) => `Du kannst das ${seconds} Sekunden lang mit Z rückgängig machen.`,
    undone: 'Rückgängig gemacht: {what}',
  },
  too_late: 'Zu spät zum Rückgängigmachen',
  too_late_text: 'Es hat schon begonnen: {action}.',
  undo_not_sent: 'Rückgängig wurde nicht gesendet',
  undo_not_sent_text:
    'Der Server war nicht erreichbar. Wenn er es nicht rechtzeitig erfährt, führt er aus, was du begonnen hast.',
  undo_unknown: 'Der Server hat auf dein Rückgängig nicht geantwortet',
  undo_unknown_text:
    'Wenn er es nicht rechtzeitig erfahren hat, führt er aus, was du begonnen hast. Die Seite zeigt es, sobald der Server erreichbar ist.',
  undo_unknown_ended: 'Sobald der Server erreichbar ist, zeigt die Aktivität, ob es rückgängig gemacht wurde.',
  not_changed: 'Die Aktion konnte nicht geändert werden',
  count_changed: (count: number) =>
    plural(count, { one: 'Die Auswahl hat jetzt # Eintrag.', other: 'Die Auswahl hat jetzt # Einträge.' }),
  continue: 'Fortfahren',
  dismiss: 'Schließen',
  dismiss_failed: 'Schließen. Es bleibt unter Aktivität.',
  uploading: (ended: string, total: string) => `${ended} von ${total} hochgeladen. Lass diesen Tab offen.`,
  menu: 'Aktionen',
  reading: (read: string, total: string) => `${read} von ${total} geladen …`,
  not_read: 'Die Auswahl konnte nicht geladen werden',
  missing: (count: number) => plural(count, { one: '# gibt es nicht mehr.', other: '# gibt es nicht mehr.' }),
  none: 'Für diese Auswahl gibt es nichts zu tun.',
  progress: (ended: string, total: string) => `${ended} von ${total}`,
  paused: (ended: string, total: string) => `Pausiert · ${ended} von ${total}`,
  restored:
    'Der Server wurde aus einer Sicherung wiederhergestellt. Falls du dies gestoppt hattest, stoppe es noch einmal.',
  unreachable: (ended: string, total: string) => `Wartet auf den Server · ${ended} von ${total}`,
  waiting: 'Wartet auf den Server …',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  stop: 'Stoppen',
  stopped: (count: number) =>
    plural(count, {
      one: 'Gestoppt. # wurde nicht bearbeitet.',
      other: 'Gestoppt. # wurden nicht bearbeitet.',
    }),
  failed: (count: number) => plural(count, { one: '# fehlgeschlagen', other: '# fehlgeschlagen' }),
  show_failed: 'Anzeigen',
  more: (count: string) => `und ${count} weitere`,
  leaves: (count: number) =>
    plural(count, { one: '# Gerät ist in einem Schwarm:', other: '# Geräte sind in Schwärmen:' }),
  no_swarm: 'In keinem Schwarm.',
  device_line: (count: number) => `{name} · ${deviceCount(count)}` as const,
  invitation_line: (count: number) => `{name} · ${invitationCount(count)}` as const,
  owners: 'Nach Besitzer:',
  recipients: 'Nach Empfänger:',
  invitations: (count: number, isMore: boolean) =>
    `${isMore ? 'Mindestens ' : ''}${plural(count, { one: '# offene Einladung wird', other: '# offene Einladungen werden' })} abgelehnt.`,
  invitations_rejected: 'Ihre offenen Einladungen werden abgelehnt.',
  no_invitations: 'Keine offenen Einladungen.',
  looking: 'Offene Einladungen werden gesucht …',
  invitations_unknown: 'Offene Einladungen konnten nicht geladen werden. Falls es welche gibt, werden sie abgelehnt.',
  type: 'Gerätetyp',
  device_keys: {
    ready: (count: number) => plural(count, { one: '# Schlüssel ist bereit', other: '# Schlüssel sind bereit' }),
    ready_text:
      'Lade die Datei jetzt herunter, denn die Schlüssel werden nicht noch einmal angezeigt. Wer einen Schlüssel hat, kann als dieses Gerät handeln, bis du ihn widerrufst.',
    download: 'CSV-Datei herunterladen',
    file_name: 'geraeteschluessel.csv',
    failed: (count: number) =>
      plural(count, {
        one: '# Gerät hat keinen Schlüssel bekommen',
        other: '# Geräte haben keinen Schlüssel bekommen',
      }),
    too_many: 'Es hat schon 10 Schlüssel. Widerrufe einige auf seiner Seite.',
    is_stored: 'Ich habe die Datei sicher gespeichert',
    lost_title: 'Datei noch nicht gespeichert?',
    lost_text: 'Nach dem Schließen können die Schlüssel nicht mehr angezeigt werden.',
    lost_close: 'Ohne Schlüssel schließen',
    lost_back: 'Zurück zur Datei',
  },
  type_count: (count: string) => `Zum Bestätigen ${count} eingeben`,
  description: 'Beschreibung',
  described: (count: number) =>
    plural(count, {
      one: 'Die Beschreibung von # Gerät wird ersetzt.',
      other: 'Die Beschreibung von # Geräten wird ersetzt.',
    }),
  undescribed: (count: number) =>
    plural(count, {
      one: 'Die Beschreibung von # Gerät wird entfernt.',
      other: 'Die Beschreibungen von # Geräten werden entfernt.',
    }),
  remove_descriptions: (count: number) =>
    plural(count, {
      one: 'Beschreibung von # Gerät entfernen',
      other: 'Beschreibungen von # Geräten entfernen',
    }),
  swarm: 'Schwarm',
  choose_swarm: 'Schwarm auswählen',
  no_device_found: 'Kein Gerät passt.',
  no_swarm_found: 'Kein Schwarm passt.',
  first_found: (shown: string, total: string) => `Die ersten ${shown} von ${total}. Suche nach den übrigen.`,
  swarms_found: swarmCount,
  no_own_swarm: 'Du hast noch keinen eigenen Schwarm.',
  no_joined_swarm: 'Keines der ausgewählten Geräte ist in einem Schwarm.',
  role: 'Rolle',
  swarm_devices: (count: number) => deviceCount(count),
  format: 'Format',
  formats: { csv: 'CSV', geojson: 'GeoJSON' },
  format_text: {
    csv: 'Für Tabellen. Texte, die wie eine Formel aussehen, erhalten einen Apostroph, den der Import wieder entfernt.',
    geojson: 'Für Kartenprogramme.',
  },
  sheet: 'Etikettenbogen',
  sheets: { a4: 'A4', letter: 'US Letter' },
  sheet_sizes: {
    a4: '24 Etiketten mit 70 × 37 mm auf jedem A4-Bogen. Drucke mit 100 % und ohne Ränder.',
    letter:
      '10 Etiketten mit 101,6 × 50,8 mm auf jedem US-Letter-Bogen. Drucke mit 100 % und den Rändern des Dokuments.',
  },
  local_codes:
    'Die Codes öffnen {address}. Diese Adresse funktioniert nur auf diesem Computer. Öffne Swarmdeck unter der öffentlichen Adresse und drucke dort.',
  pages: (count: number) => plural(count, { one: '# Bogen.', other: '# Bögen.' }),
  file_name: 'Geräte',
  members_file: 'Mitglieder',
} as const;

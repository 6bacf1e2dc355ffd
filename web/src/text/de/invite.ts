import { invitationCount, plural } from './plural.ts';

export const inviting = {
  quota: (allowed: string, room: string, adding: string) =>
    `Du kannst höchstens ${allowed} offene Einladungen haben. Von ${adding} neuen Einladungen ist nur noch für ${room} Platz. Die anderen schlagen fehl.`,
  title: 'Geräte in einen Schwarm einladen',
  short_title: 'Einladen',
  csv: 'CSV-Datei',
  swarm: 'Schwarm',
  new_swarm: 'Schwarm erstellen …',
  denied:
    'Du kannst nicht in den Schwarm einladen, der hier gewählt war: Er wurde gelöscht, oder du verwaltest ihn nicht.',
  none_title: 'Du hast noch keinen eigenen Schwarm',
  none_text: 'Erstelle einen Schwarm, um Geräte einzuladen. Deine Eingaben hier bleiben erhalten.',
  codes: 'Einladungscodes',
  codes_hint:
    'Ein Gerät pro Zeile: ein Einladungslink, {example} oder eine Zeile CSV. Dahinter kann eine Rolle stehen: sendet, empfängt oder beides.',
  codes_example: 'benutzername/geräte-id',
  show_field: 'Codes einfügen oder eingeben',
  type_instead: 'Stattdessen Benutzername und ID eingeben',
  typed_user: 'Benutzername',
  typed_id: 'Geräte-ID',
  typed_add: 'Zur Liste hinzufügen',
  paste_instead: 'Fertig',
  scan: {
    action: 'QR-Code scannen',
    title: 'Einladungscodes scannen',
    text: 'Halte den QR-Code eines Geräts vor die Kamera. Du kannst mehrere nacheinander scannen.',
    camera: 'Kamera',
    light: 'Licht',
    starting: 'Kamera wird gestartet …',
    on: 'QR-Code wird gesucht …',
    added: 'Hinzugefügt:',
    device_of: (owner: string) => `Ein Gerät von ${owner}`,
    known: 'Schon in der Liste:',
    foreign: 'Dieser Code gehört zu einem anderen Dienst.',
    unknown: 'Das ist kein Einladungscode.',
    count: (count: number) => plural(count, { one: '# Code hinzugefügt', other: '# Codes hinzugefügt' }),
    done: 'Fertig',
    problems: {
      no_camera: 'Keine Kamera gefunden. Schließe eine an oder füge die Codes ein.',
      not_allowed:
        'Der Browser lässt diese Seite die Kamera nicht nutzen. Erlaube es in den Einstellungen des Browsers für diese Seite.',
      in_use: 'Die Kamera wird gerade benutzt. Schließe das andere Programm und versuche es erneut.',
      failed: 'Die Kamera konnte nicht gestartet werden.',
    },
  },
  role: 'Rolle',
  role_names: { producer: 'Sendet', consumer: 'Empfängt', both: 'Beides' },
  /** Lower case, and separated by spaces. A line may name its role by any of them. */
  role_words: { producer: 'sendet produzent', consumer: 'empfängt konsument', both: 'beides beide', and: 'und' },
  role_texts: {
    producer: 'Was dieses Gerät sendet, geht an die empfangenden Geräte des Schwarms.',
    consumer: 'Dieses Gerät empfängt, was andere Geräte des Schwarms senden.',
    both: 'Das Gerät sendet an den Schwarm und empfängt vom Schwarm.',
  },
  named_roles: (count: number) =>
    plural(count, {
      one: '# Zeile hat eine eigene Rolle. Diese Auswahl gilt für die anderen.',
      other: '# Zeilen haben eine eigene Rolle. Diese Auswahl gilt für die anderen.',
    }),
  columns: {
    label: 'Unbekannte Spalten',
    title: (count: number) =>
      plural(count, {
        one: '# Spalte wurde nicht erkannt. Wähle aus, was sie enthält.',
        other: '# Spalten wurden nicht erkannt. Wähle aus, was sie enthalten.',
      }),
    number: (number: string) => `Spalte ${number}`,
    first: 'Erster Wert: {value}',
    use_of: (column: string) => `Inhalt von ${column}`,
    choose: 'Auswählen …',
    uses: { user: 'Benutzername', id: 'Geräte-ID', role: 'Rolle', label: 'Bezeichnung', skip: 'Ignorieren' },
    skip_all: 'Die übrigen ignorieren',
  },
  message: 'Nachricht',
  message_placeholder: 'Bitte teile die Winddaten von deinem Steg.',
  message_long: (most: string) => `Höchstens ${most} Zeichen.`,
  check: 'Vor dem Senden prüfen',
  check_empty: 'Füge Einladungscodes ein. Jede Zeile wird hier vor dem Senden geprüft.',
  counts: { ready: 'bereit', again: 'erneut senden', left_out: 'übersprungen', malformed: 'ungültig' },
  line: (line: string) => `Zeile ${line}`,
  ready: 'bereit',
  later: 'Mitglied bis {date}: du bietest ein späteres Ende an',
  other_role: {
    replaced: 'Mitglied bis {date}: dein Ende ersetzt dieses',
    limited: 'Mitglied ohne Ende: dein Ende gilt',
    kept: 'Mitglied bis {date}: dieses Ende bleibt',
  },
  role_of_line: (line: string, role: string) => `Rolle der Zeile ${line}: ${role}`,
  show_ready: (count: number) =>
    plural(count, { one: 'Sendebereite Zeile anzeigen', other: '# sendebereite Zeilen anzeigen' }),
  again: (days: number) =>
    plural(days, {
      one: 'vor # Tag gesendet, wird erneut gesendet',
      other: 'vor # Tagen gesendet, wird erneut gesendet',
    }),
  again_now: 'offen, wird erneut gesendet',
  again_without: {
    producer: 'nur „empfängt“ wird erneut gesendet',
    consumer: 'nur „sendet“ wird erneut gesendet',
  },
  twice: (line: string) => `wie Zeile ${line}: nur eine Einladung wird gesendet`,
  pair: (line: string) => `Gerät wie in Zeile ${line}: eine Einladung für beide Rollen`,
  member: {
    producer: 'sendet schon an diesen Schwarm',
    consumer: 'empfängt schon in diesem Schwarm',
    both: 'sendet und empfängt schon in diesem Schwarm',
  },
  missing: {
    producer: 'empfängt schon: wird zum Senden eingeladen',
    consumer: 'sendet schon: wird zum Empfangen eingeladen',
  },
  own: 'dein eigenes Gerät: füge es unter „Mitglieder“ hinzu',
  code_errors: {
    no_separator: 'kein Einladungscode: gib Benutzername/Geräte-ID ein',
    user_malformed: 'kein Benutzername',
    id_malformed: 'keine Geräte-ID',
    link_incomplete: 'im Link fehlt der Benutzername oder das Gerät',
    role_unknown: 'unbekannte Rolle: sendet, empfängt oder beides',
  },
  without_code: 'Um Personen ohne Code einzuladen, {link}.',
  create_link: 'erstelle einen Link zum Beitreten',
  fix: 'Korrigieren',
  fix_line: (line: string) => `Zeile ${line} korrigieren`,
  more_lines: (count: number) =>
    plural(count, { one: '# weitere Zeile, ebenso geprüft.', other: '# weitere Zeilen, ebenso geprüft.' }),
  unknown: 'Benutzernamen und Geräte werden beim Senden geprüft.',
  members_unknown: 'Dieser Schwarm ist zu groß, um seine Mitglieder vorab zu prüfen. Sie werden beim Senden geprüft.',
  sentence_nothing: 'Noch nichts zu senden.',
  sentence_columns: (count: number) =>
    plural(count, {
      one: 'Wähle aus, was die unbekannte Spalte enthält.',
      other: 'Wähle aus, was die # unbekannten Spalten enthalten.',
    }),
  sentence_role: (role: string, count: string) => `${role} (${count})`,
  sentence_no_swarm: 'Wähle einen Schwarm, um zu sehen, was gesendet wird.',
  sentence: (invitations: number, people: number) =>
    `{count} zu {swarm}${invitations === 1 ? '' : ', eine für jedes Gerät'}, an ${plural(people, {
      one: '# Person',
      other: '# Personen',
    })}. Rolle: {role}.` as const,
  sentence_count: invitationCount,
  sentence_until: 'Mitgliedschaft bis {date}.',
  sentence_again: (count: number) =>
    plural(count, {
      one: '# offene Einladung wird erneut gesendet.',
      other: '# offene Einladungen werden erneut gesendet.',
    }),
  sentence_kept: (count: number) =>
    plural(count, {
      one: '# offene Einladung für die andere Rolle bleibt unverändert.',
      other: '# offene Einladungen für die andere Rolle bleiben unverändert.',
    }),
  sentence_left: (count: number) =>
    plural(count, { one: '# Zeile wird übersprungen.', other: '# Zeilen werden übersprungen.' }),
  sentence_end: 'Ein Gerät tritt bei, sobald sein Besitzer annimmt.',
  send: (count: number) => (count === 0 ? 'Einladungen senden' : `${invitationCount(count)} senden`),
  kind: {
    one: 'Einladung zu {swarm} wird gesendet',
    one_done: 'Einladung zu {swarm} gesendet',
    many: (count: number) =>
      plural(count, { one: '# Einladung zu {swarm} wird gesendet', other: '# Einladungen zu {swarm} werden gesendet' }),
    many_done: (count: number) => `${invitationCount(count)} zu {swarm} gesendet`,
    failed: (count: number) =>
      plural(count, {
        one: '# Einladung konnte nicht gesendet werden',
        other: '# Einladungen konnten nicht gesendet werden',
      }),
  },
  result: 'Ergebnis',
  result_text: 'Fehlgeschlagene Zeilen sind noch in der Liste.',
  result_counts: { sent: 'gesendet', failed: 'fehlgeschlagen' },
  sent: 'gesendet',
  stopped: 'nicht gesendet: gestoppt',
  to_swarm: 'Zum Schwarm',
  to_board: 'Gesendete Einladungen anzeigen',
  next: 'Weitere einladen',
  problems: {
    'resource.not_theirs': 'unter diesem Benutzernamen gibt es dieses Gerät nicht',
    'membership.exists': 'hat diese Rolle schon',
    'invitation.to_yourself': 'dein eigenes Gerät: füge es unter „Mitglieder“ hinzu',
    'invitation.to_owner': 'ein Gerät des Besitzers: Er kann es unter „Mitglieder“ hinzufügen',
    'swarm.not_found': 'der Schwarm wurde gelöscht',
    'swarm.forbidden': 'du verwaltest diesen Schwarm nicht',
    'service.unreachable': 'Server nicht erreichbar',
    'service.no_answer': 'keine Antwort, vielleicht gesendet: siehe gesendete Einladungen',
  },
  error_title: 'Deine Schwärme konnten nicht geladen werden',
} as const;

export const inviteCode = {
  title: 'Einladungscode',
  title_of: 'Einladungscode für {name}',
  text: 'Gib diesen Code an den Besitzer eines Schwarms, um eingeladen zu werden. Der Code enthält deinen Benutzernamen und die Geräte-ID. Er gibt keinen Zugriff auf dein Konto oder das Gerät.',
  copy: 'Einladungscode kopieren',
  show: 'QR-Code',
  enlarge: 'QR-Code vergrößern',
  qr: 'QR-Code des Einladungslinks',
  not_copied: 'Der Browser hat das Kopieren blockiert. Markiere den Link und kopiere ihn.',
  link: 'Einladungslink',
  label: {
    title: 'Was der Code über das Gerät sagt',
    kinds: { none: 'Nur die ID', name: 'Den Namen', text: 'Eigener Text' },
    text: 'Text im Code',
    says_nothing: 'Bis du annimmst, sieht der Besitzer des Schwarms nur die ID.',
    says: 'Wer den Code bekommt, kann das lesen, auch wenn du nie eine Einladung annimmst. Dieser Browser merkt sich deine Auswahl.',
    quoted: (label: string) => `„${label}“`,
    from_code: 'laut Einladungscode, nicht bestätigt',
  },
} as const;

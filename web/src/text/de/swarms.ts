import { memberCount, plural } from './plural.ts';

export const swarms = {
  public: 'öffentlich',
  by: 'von {owner}',
  you: 'du',
  you_as_owner: 'dir',
  by_you: '{owner} (dir)',
  member_count: memberCount,
  active: '{time} aktiv',
  invite: 'Einladen',
  wall: 'Wandansicht öffnen',
  show_more: 'Mehr anzeigen',
  search_rest: 'Andere Schwärme findest du mit der Suche.',
  loading: 'Wird geladen',
  list: {
    title: 'Schwärme',
    create: 'Schwarm erstellen',
    search: 'Schwärme suchen',
    search_hint: 'Schwarm oder Besitzer',
    owned: 'Eigene',
    managed: 'Verwaltet',
    watched: 'Beobachtet',
    joined: 'Beigetreten',
    swarm: 'Schwarm und Besitzer',
    members: 'Mitglieder',
    shares: 'PC, Bug, Smartphone',
    invitations: 'Einladungen',
    own: 'Deine Geräte',
    own_count: (count: string) => `Deine Geräte: ${count}`,
    changed: 'Geändert',
    actions: 'Aktionen',
    open_invitations: (count: string) => `${count} offen`,
    open_requests: (count: number) => plural(count, { one: '# Anfrage', other: '# Anfragen' }),
    none_open: 'keine offen',
    never: '—',
    open: 'Öffnen',
    open_of: (name: string) => `${name} öffnen`,
    invite_to: (name: string) => `In ${name} einladen`,
    wall_of: (name: string) => `Wandansicht von ${name}`,
    own_devices: {
      producer: (count: number) => plural(count, { one: '# sendet', other: '# senden' }),
      consumer: (count: number) => plural(count, { one: '# empfängt', other: '# empfangen' }),
      both: (count: number) => plural(count, { one: '# tut beides', other: '# tun beides' }),
    },
    share: (type: string, count: string) => `${type} ${count}`,
    empty_title: 'Noch keine Schwärme',
    empty_text:
      'Ein Schwarm ist eine Gruppe von Geräten verschiedener Besitzer. Erstelle einen und lade Geräte ein, oder gib den Einladungscode eines Geräts an den Besitzer eines Schwarms.',
    owned_none: 'Du hast noch keinen eigenen Schwarm. Erstelle einen und lade Geräte ein.',
    joined_none:
      'Fremde Schwärme, denen deine Geräte beitreten, stehen hier, außer denen, die du verwaltest oder beobachtest.',
    no_match: 'Kein Schwarm passt zu „{q}“',
    no_match_text: 'Durchsucht werden Namen, Beschreibungen und Besitzer.',
    clear: 'Suche löschen',
    error_title: 'Die Schwärme konnten nicht geladen werden',
    deleting: 'Wird gelöscht …',
  },
  discover: {
    title: 'Entdecken',
    text: 'Öffentliche Schwärme, die ihre Besitzer hier listen.',
    search: 'Öffentliche Schwärme suchen',
    search_hint: 'Name, Beschreibung oder Besitzer',
    sort: 'Reihenfolge',
    sorts: { '-active': 'Zuletzt aktiv', '-members': 'Meiste Mitglieder', name: 'Name' },
    listed: 'Öffentliche Schwärme',
    empty_title: 'Noch keine gelisteten Schwärme',
    empty_text: 'Der Besitzer eines öffentlichen Schwarms kann ihn in dessen Einstellungen hier listen.',
  },
  form: {
    name: 'Name',
    name_placeholder: 'Hafenwetter',
    description: 'Beschreibung',
    description_placeholder: 'Wind, Wasser und Sicht an jedem Kai.',
    public:
      'Öffentlich: Alle Benutzer mit der Adresse sehen Name, Besitzer, Beschreibung und Anzahl der Mitglieder, und wann er angelegt wurde und zuletzt aktiv war',
    listed: 'In „Entdecken“ gelistet: Alle Benutzer können ihn finden',
  },
  create: {
    title: 'Schwarm erstellen',
    text: 'Er gehört dir. Fremde Geräte treten bei, wenn ihre Besitzer annehmen, deine eigenen sofort.',
    submit: 'Schwarm erstellen',
    joins: '{name} hinzufügen: Es sendet und empfängt',
    created: '{name} erstellt',
  },
  page: {
    back: 'Zurück zu den Schwärmen',
    parts: 'Bereiche des Schwarms',
    tabs: {
      members: 'Mitglieder',
      messages: 'Nachrichten',
      values: 'Werte',
      audience: 'Wer das sieht',
      invitations: 'Einladungen',
      links: 'Links',
      settings: 'Einstellungen',
    },
    not_found_title: 'Schwarm nicht gefunden',
    not_found_text: 'Er wurde möglicherweise gelöscht, oder du hast keinen Zugriff.',
    gone: 'Dieser Schwarm wurde gelöscht, oder du hast keinen Zugriff mehr. Was du eingegeben hast, ist noch da: Kopiere es, bevor du die Seite verlässt.',
    all: 'Alle Schwärme',
    error_title: 'Der Schwarm konnte nicht geladen werden',
    guest_public:
      'Dieser Schwarm ist öffentlich. Du siehst Name, Besitzer, Beschreibung und Anzahl der Mitglieder, und wann er angelegt wurde und zuletzt aktiv war.',
    guest_invited:
      'Dieser Schwarm ist privat. Du siehst seine Mitglieder, sobald eines deiner Geräte beigetreten ist oder du zugestimmt hast, ihn zu verwalten oder zu beobachten.',
    created: '{time} erstellt',
    back_to_discover: 'Zurück zu „Entdecken“',
    join: 'So trittst du bei',
    guest_join:
      'Öffne den Link, den der Besitzer verschickt oder gedruckt hat. Oder gib dem Besitzer den Einladungscode eines Geräts: Du findest ihn auf der Seite des Geräts.',
    to_devices: 'Zu deinen Geräten',
    guest_answer: 'Wenn Geräte von dir eingeladen sind, nimm die Einladungen derer an, die beitreten sollen.',
    to_invitations: 'Einladungen öffnen',
    no_description: 'Keine Beschreibung.',
  },
  silence_notices: {
    title: 'Verstummte Geräte',
    label: 'Benachrichtigen, wenn Geräte anderer in diesem Schwarm verstummen',
    hint: 'Eine Benachrichtigung für alle Geräte, die zusammen verstummen, höchstens alle zehn Minuten. Über eigene Geräte wirst du immer benachrichtigt.',
    failed: 'Diese Einstellung konnte nicht geladen werden.',
  },
  settings: {
    not_expected: 'Nicht festgelegt',
    expected_hint:
      'Für Mitglieder ohne eigene Angabe. Ein Mitglied, das doppelt so lange nicht zu hören ist, gilt als stumm.',
    save: 'Speichern',
    saved: 'Gespeichert',
    changed: (count: number) => plural(count, { one: '# Feld geändert', other: '# Felder geändert' }),
    contested: 'Das wurde an anderer Stelle in „{theirs}“ geändert. Speichere erneut, um deinen Wert zu behalten.',
    take_theirs: 'Gespeicherten Wert übernehmen',
    not_yours:
      'Dieser Schwarm gehört dir nicht mehr, daher lässt sich das nicht speichern. Was du eingegeben hast, ist noch da: Kopiere es, bevor du die Seite verlässt.',
    publishes: (count: number) =>
      `Wenn du speicherst, ${plural(count, { one: 'wird der Besitzer von # fremden Gerät in diesem Schwarm', other: 'werden die Besitzer von # fremden Geräten in diesem Schwarm' })} benachrichtigt. Wer nicht im Schwarm ist, sieht seine Geräte weiterhin nicht.`,
    theirs_public: 'öffentlich',
    theirs_private: 'privat',
    theirs_listed: 'gelistet',
    theirs_unlisted: 'nicht gelistet',
    delete_text:
      'Gelöscht werden auch Mitgliedschaften, Rollen, Einladungen, Links und Nachrichten. Die Geräte bleiben bei ihren Besitzern.',
    delete: 'Schwarm löschen …',
  },
  delete: {
    title: '{name} löschen?',
    text: 'Du kannst das kurz danach noch rückgängig machen. Außerdem wird gelöscht:',
    members: (count: number) =>
      plural(count, {
        one: '# Mitgliedschaft: Die Mitglieder sehen ihre Geräte, Strecken und Werte nicht mehr gegenseitig',
        other: '# Mitgliedschaften: Die Mitglieder sehen ihre Geräte, Strecken und Werte nicht mehr gegenseitig',
      }),
    managers: (count: number) =>
      plural(count, {
        one: 'die Rolle von # Verwalter, der die Geräte nicht mehr sieht',
        other: 'die Rollen von # Verwaltern, die die Geräte nicht mehr sehen',
      }),
    watchers: (count: number) =>
      plural(count, {
        one: 'die Rolle von # Beobachter, der die Geräte nicht mehr sieht',
        other: 'die Rollen von # Beobachtern, die die Geräte nicht mehr sehen',
      }),
    invitations: (count: number) =>
      plural(count, {
        one: '# offene Einladung, die zurückgezogen wird',
        other: '# offene Einladungen, die zurückgezogen werden',
      }),
    requests: (count: number) =>
      plural(count, {
        one: '# Beitrittsanfrage, die damit endet',
        other: '# Beitrittsanfragen, die damit enden',
      }),
    asked: (count: number) =>
      plural(count, {
        one: '# Angebot ohne Antwort, ihn zu verwalten, zu beobachten oder zu besitzen',
        other: '# Angebote ohne Antwort, ihn zu verwalten, zu beobachten oder zu besitzen',
      }),
    join_links: (count: number) =>
      plural(count, { one: '# offener Link zum Beitreten', other: '# offene Links zum Beitreten' }),
    guest_links: (count: number) =>
      plural(count, {
        one: '# Link, der Leuten ohne Konto Geräte zeigt',
        other: '# Links, die Leuten ohne Konto Geräte zeigen',
      }),
    messages: 'die Nachrichten, die in den letzten 24 Stunden an ihn gesendet wurden',
    history: 'die Liste der gesendeten Einladungen mit allen Antworten',
    devices: 'Die Geräte bleiben bei ihren Besitzern, ebenso Strecken und aufgezeichnete Werte.',
    confirm: 'Löschen',
  },
} as const;

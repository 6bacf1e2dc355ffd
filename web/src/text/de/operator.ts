import { plural } from './plural.ts';

export const operator = {
  title: 'Benutzer',
  open: 'Alle Benutzer',
  text: 'Du betreibst diesen Server. Du siehst alle Benutzer und wie viel sie haben, aber nicht ihre Geräte und Schwärme.',
  forbidden: 'Diese Seite ist nur für Betreiber',
  forbidden_text: 'Bitte den Betreiber dieses Servers um die Rolle.',
  failed: 'Die Benutzer konnten nicht geladen werden',
  search: 'Nach Benutzernamen suchen',
  none: 'Keine passenden Benutzer',
  show: 'Anzeigen',
  show_of: (name: string) => `${name} anzeigen`,
  line: '{devices} · erstellt {created} · aktiv {active}',
  line_inactive: '{devices} · erstellt {created} · noch nicht aktiv',
  disabled: 'Gesperrt',
  role: 'Betreiber',
  yes: 'Ja',
  created: 'Erstellt',
  active: 'Zuletzt aktiv',
  stats_title: 'Dieser Server',
  stats: {
    users: 'Benutzer',
    disabled: 'Gesperrt',
    signed_in: 'Angemeldet',
    sessions: 'Sitzungen',
    keys: 'API-Schlüssel',
    resources: 'Geräte',
    swarms: 'Schwärme',
    invitations: 'Offene Einladungen',
  },
  quotas: {
    resources: 'Geräte',
    swarms: 'Schwärme',
    members: 'Geräte im größten Schwarm',
    invitations: 'Gesendete offene Einladungen',
    keys: 'API-Schlüssel',
    device_keys: 'API-Schlüssel von Geräten',
    tracks: 'Geräte mit aufgezeichneter Strecke',
    saved_views: 'Gespeicherte Ansichten',
    streams: 'Live-Verbindungen',
  },
  actions: { disable: 'Sperren', enable: 'Entsperren', 'sign-out': 'Alle Sitzungen beenden' },
  link: {
    open: 'Link für ein neues Passwort',
    title: (name: string) => `Link für ${name}`,
    confirm_text:
      'Mit dem Link kann der Benutzer ein neues Passwort wählen. Hat dieser Server keine Passwörter, meldet er sich damit an. Er sieht unter Aktivität, dass der Link erstellt wurde.',
    submit: 'Link erstellen',
    is_sent: 'Der Link wird vielleicht noch erstellt, aber dann nicht angezeigt. Erstelle noch einen, um ihn zu sehen.',
    label: 'Link',
    text: 'Kopiere ihn jetzt, denn er wird nur einmal angezeigt. Schicke ihn so, dass ihn niemand anders liest. Er gilt einmal, bis {until}.',
    is_stored: 'Ich habe den Link kopiert',
    done: 'Fertig',
    closing_asks: 'Ohne Häkchen wirst du beim Schließen noch einmal gefragt.',
    lost_title: 'Link noch nicht kopiert?',
    lost_text: 'Nach dem Schließen kann der Link nicht mehr angezeigt werden. Du kannst einen anderen erstellen.',
    lost_close: 'Ohne Link schließen',
    lost_back: 'Zurück zum Link',
  },
  ask: {
    disable: {
      title: (name: string) => `${name} sperren?`,
      text: 'Eine Anmeldung ist erst wieder möglich, wenn du entsperrst. Innerhalb einer Sekunde endet aller Zugang:',
      sessions: (count: number) =>
        plural(count, {
          one: '# Sitzung endet, mit ihren Push-Nachrichten',
          other: '# Sitzungen enden, mit ihren Push-Nachrichten',
        }),
      keys: (count: number) =>
        plural(count, {
          one: '# API-Schlüssel gilt bis dahin nicht',
          other: '# API-Schlüssel, auch die von Geräten, gelten bis dahin nicht',
        }),
      devices: (count: number) =>
        plural(count, {
          one: '# Gerät kann bis dahin nicht senden oder empfangen',
          other: '# Geräte können bis dahin nicht senden oder empfangen',
        }),
      swarms: 'Die eigenen Schwärme erscheinen bis dahin nicht in „Entdecken“',
      links: 'Eigene Links, die Geräte zeigen, öffnen sich bis dahin nicht',
      notices: 'Webhooks und E-Mails ruhen bis dahin',
      actions: 'Laufende Aktionen werden angehalten; ein Import, der noch hochgeladen wird, wird gelöscht',
      stays:
        'Geräte, Schwärme, Mitgliedschaften, Rollen, Einladungen und Links zum Beitreten bleiben. Andere Benutzer sehen weiterhin die Geräte, die sie jetzt sehen.',
    },
    'sign-out': {
      title: (name: string) => `Alle Sitzungen von ${name} beenden?`,
      text: 'Eine neue Anmeldung ist möglich. Die API-Schlüssel gelten weiter.',
    },
  },
  done: {
    disable: (name: string) => `${name} gesperrt`,
    enable: (name: string) => `${name} entsperrt`,
    'sign-out': (name: string) => `Alle Sitzungen von ${name} beendet`,
  },
} as const;

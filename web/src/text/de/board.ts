import { invitationCount, plural } from './plural.ts';

export const board = {
  title: 'Gesendete Einladungen',
  states: { new: 'Offen', accepted: 'Angenommen', rejected: 'Abgelehnt', stale: 'Seit 14 Tagen ohne Antwort' },
  former_device: 'nicht mehr verfügbar',
  former_text: 'Das Gerät wurde gelöscht oder gehört jetzt jemand anderem.',
  joined_by: { link: 'per Link', request: 'auf Anfrage' },
  filters: 'Filter',
  search: 'Einladungen durchsuchen',
  search_hint: 'Benutzer oder Gerät',
  many: 'Viele per CSV einladen',
  columns: {
    state: 'Status',
    to: 'An',
    device: 'Gerät',
    role: 'Rolle',
    age: 'Geändert',
    message: 'Nachricht',
  },
  stale_title: (count: number) =>
    plural(count, {
      one: '# Einladung ist seit 14 Tagen unbeantwortet.',
      other: '# Einladungen sind seit 14 Tagen unbeantwortet.',
    }),
  stale_text: 'Erneut senden oder zurückziehen.',
  actions_of: (to: string) => `Aktionen für die Einladung an ${to}`,
  /** `row`: on the button of a row; `all`: on that for all without an answer; the others as in bulk.ts. */
  commands: {
    invite_again: {
      row: 'Erneut senden',
      row_of: (to: string) => `Erneut senden an ${to}`,
      all: (count: number) => plural(count, { one: 'Erneut senden', other: '# erneut senden' }),
      title: (count: number) => `${invitationCount(count)} erneut senden?`,
      text: 'Die Empfänger sehen die Einladung wieder als neu. Du kannst das kurz danach noch rückgängig machen.',
      others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
      confirm: (count: number) => `${invitationCount(count)} erneut senden`,
    },
    withdraw: {
      row: 'Zurückziehen',
      row_of: (to: string) => `Einladung an ${to} zurückziehen`,
      all: (count: number) => plural(count, { one: 'Zurückziehen', other: '# zurückziehen' }),
      title: (count: number) => `${invitationCount(count)} zurückziehen?`,
      text: 'Eine zurückgezogene Einladung kann nicht mehr angenommen werden. Du kannst das kurz danach noch rückgängig machen.',
      others: (count: number) => plural(count, { one: '# wird übersprungen.', other: '# werden übersprungen.' }),
      confirm: (count: number) => `${invitationCount(count)} zurückziehen`,
    },
  },
  show: 'Auf Karte zeigen',
  show_of: (name: string) => `Auf Karte zeigen: ${name}`,
  invite_again: 'Erneut einladen',
  invite_again_to: (to: string) => `${to} erneut einladen`,
  no_message: '—',
  not_read: 'Es wurde nichts gesendet oder zurückgezogen',
  kinds: {
    withdraw: {
      one: 'Einladung an {to} wird zurückgezogen',
      one_done: 'Einladung an {to} zurückgezogen',
      many: (count: number) =>
        plural(count, { one: '# Einladung wird zurückgezogen', other: '# Einladungen werden zurückgezogen' }),
      many_done: (count: number) => `${invitationCount(count)} zurückgezogen`,
      failed: (count: number) =>
        plural(count, {
          one: 'Die Einladung konnte nicht zurückgezogen werden',
          other: '# Einladungen konnten nicht zurückgezogen werden',
        }),
    },
    withdraw_later_end: {
      one: 'Angebot eines späteren Endes an {to} wird zurückgezogen',
      one_done: 'Angebot eines späteren Endes an {to} zurückgezogen',
      many: (count: number) =>
        plural(count, {
          one: '# Angebot eines späteren Endes wird zurückgezogen',
          other: '# Angebote eines späteren Endes werden zurückgezogen',
        }),
      many_done: (count: number) =>
        plural(count, {
          one: '# Angebot eines späteren Endes zurückgezogen',
          other: '# Angebote eines späteren Endes zurückgezogen',
        }),
      failed: (count: number) =>
        plural(count, {
          one: 'Das Angebot konnte nicht zurückgezogen werden',
          other: '# Angebote konnten nicht zurückgezogen werden',
        }),
    },
    invite_again: {
      one: 'Einladung an {to} wird erneut gesendet',
      one_done: 'Einladung an {to} erneut gesendet',
      many: (count: number) =>
        plural(count, { one: '# Einladung wird erneut gesendet', other: '# Einladungen werden erneut gesendet' }),
      many_done: (count: number) => `${invitationCount(count)} erneut gesendet`,
      failed: (count: number) =>
        plural(count, {
          one: 'Die Einladung konnte nicht erneut gesendet werden',
          other: '# Einladungen konnten nicht erneut gesendet werden',
        }),
    },
  },
  later_end: 'Späteres Ende',
  select: 'Einladung an {to} auswählen',
  select_all: 'Alle offenen Einladungen auswählen',
  of: (shown: string, all: string) => `${shown} von ${all}, offene zuerst, dann nach letzter Änderung`,
  names:
    'Gerätenamen sind sichtbar, sobald die Einladung angenommen ist. Bezeichnungen aus Einladungscodes stehen in Anführungszeichen.',
  empty_title: 'Noch keine Einladungen gesendet',
  empty_text: 'Frage Gerätebesitzer nach Einladungscodes und lade hier ein oder mehrere Geräte ein.',
  none_title: 'Keine Einladung passt',
  clear: 'Alle anzeigen',
  error_title: 'Die Einladungen konnten nicht geladen werden',
} as const;

import { invitationCount, plural } from './plural.ts';

export const board = {
  title: 'Gesendete Einladungen',
  states: { new: 'Offen', accepted: 'Angenommen', rejected: 'Abgelehnt', stale: 'Seit 14 Tagen ohne Antwort' },
  state: { new: 'offen', accepted: 'angenommen', rejected: 'abgelehnt' },
  filters: 'Filter',
  many: 'Viele per CSV einladen',
  columns: {
    state: 'Status',
    to: 'An',
    device: 'Gerät',
    role: 'Rolle',
    age: 'Alter',
    message: 'Nachricht',
    actions: 'Aktionen',
  },
  stale_title: (count: number) =>
    plural(count, {
      one: '# Einladung ist seit 14 Tagen unbeantwortet.',
      other: '# Einladungen sind seit 14 Tagen unbeantwortet.',
    }),
  stale_text: 'Erneut senden oder zurückziehen.',
  send_all: (count: number) => plural(count, { one: 'Erneut senden', other: '# erneut senden' }),
  withdraw_all: (count: number) => plural(count, { one: 'Zurückziehen', other: '# zurückziehen' }),
  send_again: 'Neu senden',
  send_again_to: (to: string) => `Neu senden an ${to}`,
  withdraw: 'Zurückziehen',
  actions_of: (to: string) => `Aktionen für die Einladung an ${to}`,
  withdraw_from: (to: string) => `Einladung an ${to} zurückziehen`,
  show: 'Auf Karte zeigen',
  show_of: (name: string) => `Auf Karte zeigen: ${name}`,
  invite_again: 'Erneut einladen',
  invite_again_to: (to: string) => `${to} erneut einladen`,
  no_message: '—',
  sent_again: (count: number) => `${invitationCount(count)} erneut gesendet`,
  withdrawn: (count: number) => `${invitationCount(count)} zurückgezogen`,
  not_sent: (count: number) =>
    plural(count, {
      one: 'Die Einladung konnte nicht erneut gesendet werden',
      other: '# Einladungen konnten nicht erneut gesendet werden',
    }),
  not_withdrawn: (count: number) =>
    plural(count, {
      one: 'Die Einladung konnte nicht zurückgezogen werden',
      other: '# Einladungen konnten nicht zurückgezogen werden',
    }),
  not_read: 'Es wurde nichts gesendet oder zurückgezogen',
  not_selected: 'Nicht alle Einladungen konnten ausgewählt werden',
  doing_one: {
    withdraw: 'Einladung an {to} wird zurückgezogen',
    send_again: 'Einladung an {to} wird erneut gesendet',
  },
  doing_many: {
    withdraw: (count: number) =>
      plural(count, { one: '# Einladung wird zurückgezogen', other: '# Einladungen werden zurückgezogen' }),
    send_again: (count: number) =>
      plural(count, { one: '# Einladung wird erneut gesendet', other: '# Einladungen werden erneut gesendet' }),
  },
  doing: { withdraw: 'Wird zurückgezogen …', send_again: 'Wird erneut gesendet …' },
  progress: (done: string, all: string) => `${done} von ${all}`,
  undo: 'Rückgängig',
  undo_of: (to: string) => `Für ${to} rückgängig machen`,
  select: 'Einladung an {to} auswählen',
  select_all: 'Alle offenen Einladungen auswählen',
  selected: (count: string) => `${count} ausgewählt`,
  select_all_of: (count: string) => `Alle ${count} auswählen`,
  clear_selection: 'Aufheben',
  selected_send_again: (count: number) => plural(count, { one: 'Erneut senden', other: '# erneut senden' }),
  selected_withdraw: (count: number) => plural(count, { one: 'Zurückziehen', other: '# zurückziehen' }),
  of: (shown: string, all: string) => `${shown} von ${all}, offene zuerst, dann nach letzter Änderung`,
  names: 'Gerätenamen sind sichtbar, sobald die Einladung angenommen ist.',
  empty_title: 'Noch keine Einladungen gesendet',
  empty_text: 'Frage nach Einladungscodes von Geräten und lade hier eines oder viele davon ein.',
  none_title: 'Keine Einladungen mit diesem Status',
  clear: 'Alle anzeigen',
  error_title: 'Die Einladungen konnten nicht geladen werden',
} as const;

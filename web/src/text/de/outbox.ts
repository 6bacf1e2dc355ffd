import { plural } from './plural.ts';

export const outbox = {
  waiting: (count: number) => plural(count, { one: '# wartet', other: '# warten' }),
  failed: (count: number) => plural(count, { one: '# nicht gesendet', other: '# nicht gesendet' }),
  title: 'Wartende Änderungen',
  text: 'Sie sind in diesem Browser gespeichert und werden in dieser Reihenfolge gesendet, sobald der Server erreichbar ist.',
  none: 'Nichts wartet',
  create: '{name} hinzufügen',
  edit: (fields: string) => `{name} bearbeiten: ${fields}` as const,
  not_sent_yet: 'Noch nicht gesendet',
  devices: 'Noch nicht gesendet',
  added: 'Neu · noch nicht gesendet',
  edited: 'Geändert · noch nicht gesendet',
  sent: 'Gesendet',
  sent_count: (count: number) =>
    plural(count, { one: '# wartende Änderung gesendet', other: '# wartende Änderungen gesendet' }),
  conflict: 'Auch woanders geändert. Vergleiche, um zu wählen, welcher Wert bleibt.',
  compare: 'Vergleichen',
  discard: 'Verwerfen',
  discard_title: 'Diese Änderung verwerfen?',
  discard_text: 'Sie ist nur in diesem Browser und lässt sich nicht wiederherstellen.',
  copy: 'Text kopieren',
  /** Beside what was typed in a form. */
  input_stays: 'Deine Eingaben sind noch da.',
  unsent: 'Noch nicht gespeichert. Deine Änderungen werden gespeichert, sobald der Server wieder erreichbar ist.',
  not_stored: 'Diese Änderungen lassen sich nicht speichern:',
  show: 'Anzeigen',
  sign_out_title: 'Abmelden, ohne zu senden?',
  sign_out_text: (count: number) =>
    plural(count, {
      one: '# Änderung wurde nicht gesendet und würde gelöscht.',
      other: '# Änderungen wurden nicht gesendet und würden gelöscht.',
    }),
};

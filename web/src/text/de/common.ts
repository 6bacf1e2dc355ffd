import { plural } from './plural.ts';

/** Texts of several pages, none of which is the home page. */
export const rolesInSentences = {
  producer: 'sendet',
  consumer: 'empfängt',
  both: 'sendet und empfängt',
} as const;

export const textErrors = {
  missing_name: 'Gib einen Namen ein.',
  too_long: (most: string) => `Höchstens ${most} Zeichen.`,
  invisible: 'Ein Name braucht mindestens ein sichtbares Zeichen.',
  unprintable: 'Entferne die Steuerzeichen.',
} as const;

export const leaving = {
  title: 'Ohne Speichern verlassen?',
  text: (count: number) =>
    plural(count, { one: '# Feld hat ungespeicherte Änderungen.', other: '# Felder haben ungespeicherte Änderungen.' }),
  save: 'Speichern und verlassen',
  stay: 'Hierbleiben',
  leave: 'Ohne Speichern verlassen',
  /** While a save is under way. */
  sent_title: 'Während des Speicherns verlassen?',
  sent_text: 'Es wurde schon gesendet und wird vielleicht noch gespeichert. Ein Hinweis sagt, was daraus geworden ist.',
  leave_sent: 'Verlassen',
  saved: 'Die Änderungen der Seite, die du verlassen hast, sind gespeichert',
  waits: 'Die Änderungen der Seite, die du verlassen hast, warten, bis der Server erreichbar ist',
  conflict: 'Die Änderungen der Seite, die du verlassen hast, wurden nicht gespeichert',
  conflict_text: 'Dieselben Felder wurden inzwischen anderswo geändert.',
} as const;

export const notFound = {
  title: 'Seite nicht gefunden',
  text: 'Die Adresse ist vielleicht falsch, oder die Seite existiert nicht mehr.',
  home: 'Zu deinen Geräten',
  shared: 'Nichts zu öffnen',
  shared_text: 'Was du geteilt hast, enthält keinen Link zu diesem Server.',
} as const;

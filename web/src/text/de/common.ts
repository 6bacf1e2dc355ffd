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
} as const;

export const notFound = {
  title: 'Seite nicht gefunden',
  text: 'Die Adresse ist vielleicht falsch, oder die Seite existiert nicht mehr.',
  home: 'Zu deinen Geräten',
  shared: 'Nichts zu öffnen',
  shared_text: 'Was du geteilt hast, enthält keinen Link zu diesem Server.',
} as const;

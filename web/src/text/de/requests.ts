import { plural } from './plural.ts';

const withDevices = (count: number) => plural(count, { one: '# Gerät', other: '# Geräten' });

/** Texte der Anfragen, einem öffentlichen Schwarm beizutreten. */
export const requests = {
  kind: {
    one: 'Anfrage an {swarm} mit {name} wird gesendet',
    one_done: 'Anfrage an {swarm} mit {name} gesendet',
    many: (count: number) => `Anfrage an {swarm} mit ${withDevices(count)} wird gesendet` as const,
    many_done: (count: number) => `Anfrage an {swarm} mit ${withDevices(count)} gesendet` as const,
    failed: (count: number) =>
      plural(count, { one: '# Anfrage wurde nicht gesendet', other: '# Anfragen wurden nicht gesendet' }),
  },
  accept: {
    one: 'Anfrage an {swarm} mit {device} wird angenommen',
    one_done: 'Anfrage an {swarm} mit {device} angenommen',
    many: (count: number) => plural(count, { one: '# Anfrage wird angenommen', other: '# Anfragen werden angenommen' }),
    many_done: (count: number) => plural(count, { one: '# Anfrage angenommen', other: '# Anfragen angenommen' }),
    failed: (count: number) =>
      plural(count, {
        one: 'Die Anfrage konnte nicht angenommen werden',
        other: '# Anfragen konnten nicht angenommen werden',
      }),
  },
  reject: {
    one: 'Anfrage an {swarm} mit {device} wird abgelehnt',
    one_done: 'Anfrage an {swarm} mit {device} abgelehnt',
    many: (count: number) => plural(count, { one: '# Anfrage wird abgelehnt', other: '# Anfragen werden abgelehnt' }),
    many_done: (count: number) => plural(count, { one: '# Anfrage abgelehnt', other: '# Anfragen abgelehnt' }),
    failed: (count: number) =>
      plural(count, {
        one: 'Die Anfrage konnte nicht abgelehnt werden',
        other: '# Anfragen konnten nicht abgelehnt werden',
      }),
  },
  withdraw: {
    one: 'Anfrage mit {device} wird zurückgezogen',
    one_done: 'Anfrage mit {device} zurückgezogen',
    many: (count: number) =>
      plural(count, { one: '# Anfrage wird zurückgezogen', other: '# Anfragen werden zurückgezogen' }),
    many_done: (count: number) => plural(count, { one: '# Anfrage zurückgezogen', other: '# Anfragen zurückgezogen' }),
    failed: (count: number) =>
      plural(count, {
        one: 'Die Anfrage konnte nicht zurückgezogen werden',
        other: '# Anfragen konnten nicht zurückgezogen werden',
      }),
  },
  title: 'Anfragen',
  yours: 'Deine offenen Anfragen',
  more: (count: number) =>
    plural(count, { one: 'und # weitere in deinen Einladungen', other: 'und # weitere in deinen Einladungen' }),
  ask: 'Um Aufnahme bitten',
  text: 'Bitte den Besitzer, deine Geräte aufzunehmen.',
  dialog_title: 'Um Aufnahme in {swarm} bitten',
  consent:
    'Wenn du anfragst, sehen *Besitzer und Verwalter* Name und Typ dieser Geräte.\nNehmen sie an, sehen *Besitzer, Verwalter, Beobachter und Mitglieder* auch Beschreibung, Position und letztes Lebenszeichen jedes Geräts. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt.\n*Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen,* können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte.\nVerstummt ein Gerät, können *Besitzer, Verwalter und Beobachter* benachrichtigt werden.\n*Du* siehst dann auch die Geräte der Mitglieder.',
  message: 'Nachricht',
  submit: (count: number) => (count === 0 ? 'Anfragen' : `Mit ${withDevices(count)} anfragen`),
  accepts: 'Andere können um Aufnahme bitten',
  theirs_accepts: 'andere können um Aufnahme bitten',
  theirs_refuses: 'andere können nicht um Aufnahme bitten',
  blocked: 'Gesperrte Benutzer',
  unblock: 'Entsperren',
  unblock_of: (user: string) => `${user} entsperren`,
} as const;

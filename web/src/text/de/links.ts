import { deviceCount, plural } from './plural.ts';

/** Texte der Links, über die andere einem Schwarm beitreten. */
export const links = {
  kind: {
    one: '{name} tritt {swarm} bei',
    one_done: '{name} in {swarm} aufgenommen',
    many: (count: number) => `Beitritt zu {swarm} mit ${deviceCount(count)}` as const,
    many_done: (count: number) => `${deviceCount(count)} in {swarm} aufgenommen` as const,
    failed: (count: number) =>
      plural(count, { one: '# Gerät ist nicht beigetreten', other: '# Geräte sind nicht beigetreten' }),
  },
  problems: { 'link.not_found': 'Der Link ist beendet, oder die Höchstzahl seiner Geräte ist erreicht.' },
  title: 'Links zum Beitreten',
  text: 'Alle mit einem Link können mit ihren Geräten beitreten. Du kannst einen Link jederzeit beenden.',
  empty_title: 'Noch keine Links',
  empty_text:
    'Verschicke einen Link oder drucke seinen QR-Code. Andere wählen dann, welche ihrer Geräte beitreten. Du brauchst keine Einladungscodes.',
  error_title: 'Die Links konnten nicht geladen werden',
  create: 'Link erstellen',
  create_title: 'Link zum Beitreten erstellen',
  create_text:
    'Alle, die den Link öffnen, sehen Name, Besitzer, Beschreibung und Anzahl der Mitglieder und können beitreten.',
  name: 'Name',
  name_hint: 'Nur Besitzer und Verwalter sehen ihn.',
  name_placeholder: 'Workshop im Mai',
  role: 'Rolle der Geräte',
  until: 'Gültig bis',
  until_past: 'Wähle heute oder einen späteren Tag.',
  most: 'Wie viele Geräte können beitreten',
  most_wrong: 'Eine ganze Zahl von 1 bis 100.000.',
  joined: (count: number) => plural(count, { one: '# Gerät beigetreten', other: '# Geräte beigetreten' }),
  joined_of: (count: string, most: string) => `${count} von ${most} beigetreten`,
  expired: 'Abgelaufen {date}',
  ended: 'Beendet {date}',
  used_up: 'Höchstzahl erreicht',
  copy: 'Link kopieren',
  show: 'QR-Code',
  qr: 'QR-Code des Links',
  as_text: 'Link',
  show_of: (name: string) => `QR-Code von ${name}`,
  end: 'Beenden',
  end_of: (name: string) => `${name} beenden`,
  end_title: '{name} beenden?',
  end_text: 'Über diesen Link kann niemand mehr beitreten. Beigetretene Geräte bleiben.',
  dialog_title: 'Link {name}',
  dialog_text: 'Alle mit diesem Link können beitreten. Verschicke ihn oder drucke den Code.',
  share_title: (swarm: string) => `${swarm} beitreten`,
  print: 'Drucken',
  poster: 'Scannen und beitreten',
  joined_by: 'Beigetreten über den Link {name}',
  joined_by_deleted: 'Beigetreten über einen gelöschten Link',
  join: {
    title: 'Einem Schwarm beitreten',
    invited: '{swarm} beitreten',
    loading: 'Link wird geladen',
    error_title: 'Der Link konnte nicht geöffnet werden',
    gone_title: 'Dieser Link ist nicht gültig',
    gone_text:
      'Er ist beendet oder unvollständig, oder die Höchstzahl seiner Geräte ist erreicht. Bitte den Besitzer des Schwarms um einen neuen.',
    to_devices: 'Zu deinen Geräten',
    own_title: 'Das ist dein Schwarm',
    own_text: 'Schicke den Link an andere. Eigene Geräte fügst du auf der Seite des Schwarms hinzu.',
    to_swarm: 'Schwarm öffnen',
    asked: {
      consumer:
        'Du hast angefragt, dass {device} in diesem Schwarm empfängt. Der Link beantwortet das nicht: Wird die Anfrage angenommen, sendet und empfängt es.',
      producer:
        'Du hast angefragt, dass {device} in diesem Schwarm sendet. Der Link beantwortet das nicht: Wird die Anfrage angenommen, sendet und empfängt es.',
      both: 'Du hast angefragt, dass {device} in diesem Schwarm sendet und empfängt. Der Link beantwortet das nicht: Wird die Anfrage angenommen, sendet und empfängt es.',
    },
    role: (role: string) => `Rolle deiner Geräte: ${role}.`,
    consent: (members: number) =>
      `*Besitzer, Verwalter, Beobachter und Mitglieder* sehen jedes Gerät, das beitritt: Name, Typ, Beschreibung, Position und letztes Lebenszeichen. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt.\n*Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen,* können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte.\nVerstummt ein Gerät, können *Besitzer, Verwalter und Beobachter* benachrichtigt werden.\n*Du* siehst auch die Geräte der Mitglieder.\nDer Schwarm hat jetzt ${deviceCount(members)}.`,
    left: (count: number) =>
      plural(count, { one: 'Nur noch # Gerät kann beitreten.', other: 'Nur noch # Geräte können beitreten.' }),
    too_many: (count: number) =>
      plural(count, {
        one: 'Nur noch # Gerät kann beitreten. Die anderen schlagen fehl.',
        other: 'Nur noch # Geräte können beitreten. Die anderen schlagen fehl.',
      }),
    devices: 'Deine Geräte',
    none: 'Du hast noch keine Geräte. Füge eines hinzu, um beizutreten.',
    add: 'Gerät hinzufügen',
    phone: 'Dieses Telefon hinzufügen',
    phone_name: 'Mein Telefon',
    phone_note: 'Das Telefon meldet seine Position nicht von selbst.',
    phone_position: 'Diese hier bleibt, bis du sie änderst.',
    submit: (count: number) =>
      count === 0 ? 'Beitreten' : `Mit ${plural(count, { one: '# Gerät', other: '# Geräten' })} beitreten`,
    done_title: (count: number) => plural(count, { one: '# Gerät beigetreten', other: '# Geräte beigetreten' }),
    none_joined: 'Kein Gerät ist beigetreten',
    until: 'Im Schwarm bis {date}. Das Ende kannst du in der Liste der Mitglieder ändern.',
    more: 'Weitere Geräte hinzufügen',
    result: 'Ergebnis',
  },
} as const;

import { deviceCount, invitationCount, memberCount, plural, swarmCount, swarmCountDative } from './plural.ts';

const laterEndCount = (count: number) => plural(count, { one: '# späteres Ende', other: '# spätere Enden' });

export const invitations = {
  title: 'Einladungen',
  arrived: (count: number) =>
    plural(count, {
      one: '# neue Einladung oder Beitrittsanfrage',
      other: '# neue Einladungen oder Beitrittsanfragen',
    }),
  invite: 'Einladen',
  boxes: 'Empfangen oder gesendet',
  received: 'Empfangen',
  sent: 'Gesendet',
  search: 'Einladungen suchen',
  search_hint: 'Name, Schwarm, Gerät oder ID',
  clear_search: 'Suche löschen',
  list: 'Einladungen',
  one_device: 'Nur ein Gerät',
  needs_answer: 'Zu beantworten',
  waiting_for: 'Antwort ausstehend',
  history: 'Verlauf',
  loading: 'Einladungen werden geladen',
  invited: 'Einladung von {from} für {device}',
  invited_by_unknown: 'Einladung für {device}',
  you_invited: 'Einladung an {to} für {device}',
  asks: 'Anfrage von {from} mit {device}',
  you_asked: 'Deine Anfrage an {to} mit {device}',
  joined: {
    received: 'Beitritt über einen Link: {device}',
    sent: 'Beitritt von {to} über einen Link mit {device}',
    state: 'beigetreten',
  },
  later_end: {
    one: 'Späteres Ende',
    invited: 'Späteres Ende von {from} für {device}',
    invited_by_unknown: 'Späteres Ende angeboten für {device}',
    you_invited: 'Späteres Ende an {to} für {device}',
    consent: '{device} ist bis {now} in {swarm}. Wenn du annimmst, bleibt es bis {date}. Sonst ändert sich nichts.',
    answers: {
      accept: {
        one: 'Späteres Ende für {device} in {swarm} wird angenommen',
        many: (count: number) =>
          plural(count, { one: '# späteres Ende wird angenommen', other: '# spätere Enden werden angenommen' }),
        one_done: 'Späteres Ende für {device} in {swarm} angenommen',
        many_done: (count: number) => `${laterEndCount(count)} angenommen`,
        failed: (count: number) =>
          plural(count, {
            one: 'Das spätere Ende konnte nicht angenommen werden',
            other: '# spätere Enden konnten nicht angenommen werden',
          }),
      },
      reject: {
        one: 'Späteres Ende für {device} in {swarm} wird abgelehnt',
        many: (count: number) =>
          plural(count, { one: '# späteres Ende wird abgelehnt', other: '# spätere Enden werden abgelehnt' }),
        one_done: 'Späteres Ende für {device} in {swarm} abgelehnt',
        many_done: (count: number) => `${laterEndCount(count)} abgelehnt`,
        failed: (count: number) =>
          plural(count, {
            one: 'Das spätere Ende konnte nicht abgelehnt werden',
            other: '# spätere Enden konnten nicht abgelehnt werden',
          }),
      },
    },
  },
  by: '{swarm} von {owner}',
  unknown_device: 'unbekanntes Gerät',
  former_device: 'früheres Gerät',
  their_device: 'Gerät',
  former_text: 'Es wurde gelöscht oder gehört jetzt jemand anderem.',
  accept: 'Annehmen',
  reject: 'Ablehnen',
  withdraw: 'Zurückziehen',
  answering: {
    accept: 'Wird angenommen …',
    reject: 'Wird abgelehnt …',
    withdraw: 'Wird zurückgezogen …',
    invite_again: 'Wird gesendet …',
  },
  paused: 'Pausiert',
  postponed: 'Wartet aufs Senden',
  done: { new: 'offen', accepted: 'angenommen', rejected: 'abgelehnt' },
  not_accepted: 'nicht angenommen',
  ended: {
    accepted: 'Angenommen',
    rejected: 'Abgelehnt',
    withdrawn: 'Zurückgezogen',
    expired: 'Abgelaufen',
    gone: 'Nicht mehr offen',
  },
  answers: {
    accept: {
      one: 'Einladung zu {swarm} wird für {device} angenommen',
      many: (count: number) =>
        plural(count, { one: '# Einladung wird angenommen', other: '# Einladungen werden angenommen' }),
      one_done: 'Einladung zu {swarm} für {device} angenommen',
      many_done: (count: number) => `${invitationCount(count)} angenommen`,
      failed: (count: number) =>
        plural(count, {
          one: 'Die Einladung konnte nicht angenommen werden',
          other: '# Einladungen konnten nicht angenommen werden',
        }),
    },
    reject: {
      one: 'Einladung zu {swarm} wird für {device} abgelehnt',
      many: (count: number) =>
        plural(count, { one: '# Einladung wird abgelehnt', other: '# Einladungen werden abgelehnt' }),
      one_done: 'Einladung zu {swarm} für {device} abgelehnt',
      many_done: (count: number) => `${invitationCount(count)} abgelehnt`,
      failed: (count: number) =>
        plural(count, {
          one: 'Die Einladung konnte nicht abgelehnt werden',
          other: '# Einladungen konnten nicht abgelehnt werden',
        }),
    },
  },
  failed_because: {
    'invitation.not_found': 'Sie wurde zurückgezogen.',
    'invitation.already_answered': 'Sie wurde bereits beantwortet.',
    'invitation.ended': 'Sie ist abgelaufen.',
    'join_request.not_found': 'Sie ist abgelaufen oder wurde zurückgezogen, oder das Gerät wurde gelöscht.',
    'join_request.already_answered': 'Sie wurde bereits beantwortet.',
    'join_request.ended': 'Sie ist abgelaufen.',
    'resource.not_found': 'Das Gerät wurde gelöscht.',
    'swarm.not_found': 'Der Schwarm wurde gelöscht.',
  },
  answered_before: {
    received: { accepted: 'Du hast sie {when} schon angenommen.', rejected: 'Du hast sie {when} schon abgelehnt.' },
    sent: { accepted: '{to} hat sie {when} schon angenommen.', rejected: '{to} hat sie {when} schon abgelehnt.' },
    is_member: '{device} ist jetzt in {swarm}: Die Anfrage wurde angenommen.',
  },
  to_leave: 'Die Seite von {device} zeigt, ob es noch im Schwarm ist, und lässt es austreten.',
  select: 'Auswählen: {invitation}',
  select_all: 'Alle auswählen',
  selecting: (done: string, total: string) => `${done} von ${total} ausgewählt …`,
  selected_of: (count: string, total: string) => `${count} von ${total} ausgewählt`,
  review: (count: string) => `${count} prüfen`,
  new_above: (count: string) => `${count} neu`,
  back: 'Zurück zu den Einladungen',
  one: 'Einladung',
  one_request: 'Anfrage',
  next: 'Weiter',
  previous: 'Zurück',
  place: (at: string, total: string) => `${at} von ${total}`,
  keys_step: 'nächste, vorherige',
  keys_select: 'auswählen',
  facts: {
    sent: 'gesendet {when}',
    sent_by: 'geschickt von {by} {when}',
    swarm: 'Schwarm',
    public: 'öffentlich',
    members: memberCount,
    no_access: 'Du hast keinen Zugriff mehr auf diesen Schwarm.',
    role: 'Angebotene Rolle',
    later_end: 'Angebotenes späteres Ende',
    role_joined: 'Rolle',
    role_asked: 'Gewünschte Rolle',
    your_device: 'Dein Gerät',
    device: 'Gerät',
    message: 'Nachricht',
    quote: '„{message}“',
    state: 'Status',
    no_position: 'keine Position',
    not_yours: 'Du siehst es, sobald die Einladung angenommen ist.',
    on: '{state} {when}',
    stays: 'im Schwarm bis {date}',
  },
  role_does: {
    producer: 'Was dieses Gerät sendet, geht an die empfangenden Geräte des Schwarms.',
    consumer: 'Dieses Gerät empfängt, was andere Geräte des Schwarms senden.',
    both: 'Das Gerät sendet an den Schwarm und empfängt vom Schwarm.',
  },
  until: {
    /** Short, so that the three answers are on one line of a phone. */
    action: 'Befristet …',
    title: 'Befristet annehmen',
    text: '{device} verlässt {swarm} dann von selbst. Ab dann bekommen die Geräte des Schwarms nichts von {device}, und die Mitglieder sehen {device} nicht mehr. Was es gesendet hat, kann im Schwarm noch bis zu 24 Stunden gelesen werden.',
    offered: 'Angeboten ist eine Mitgliedschaft bis {date}: Dann verlässt das Gerät den Schwarm von selbst.',
    replaced:
      'Das Gerät ist bis {now} im Schwarm. Wenn du annimmst, bleibt es stattdessen in beiden Rollen bis {date}: Dann verlässt es den Schwarm von selbst.',
    limited:
      'Das Gerät ist ohne Ende im Schwarm. Wenn du annimmst, hat es beide Rollen nur bis {date}: Dann verlässt es den Schwarm von selbst.',
    kept: 'Das Gerät ist bis {now} im Schwarm. Dieses Ende bleibt, für beide Rollen: Dann verlässt es den Schwarm von selbst.',
    instead_of_none: 'bis {date} (jetzt: kein Ende)',
    asked: 'Angefragt ist eine Mitgliedschaft bis {date}: Dann verlässt das Gerät den Schwarm von selbst.',
  },
  consent:
    'Wenn du annimmst, sehen *Besitzer, Verwalter, Beobachter und Mitglieder* von {swarm} dieses Gerät: Name, Typ, Beschreibung, Position, letztes Lebenszeichen und, falls aufgezeichnet, die Strecke seit dem Beitritt.\n*Alle außer Mitgliedern, die nur senden,* können lesen, was es sendet, bis zu 24 Stunden zurück, und aufgezeichnete Werte.\nVerstummt es, können *Besitzer, Verwalter und Beobachter* benachrichtigt werden.',
  consent_request:
    'Wenn du annimmst, sehen *{from} und die Mitglieder* von {swarm} ihre Geräte im Schwarm gegenseitig: Name, Typ, Beschreibung, Position und letztes Lebenszeichen. Wird die Strecke eines Geräts aufgezeichnet, sehen sie die Strecke von jetzt an.\nWerden die Werte des Geräts aufgezeichnet, sehen *alle, die seine Nachrichten lesen können,* die Werte.',
  consent_member:
    '{device} ist schon in {swarm}: {from} und die Mitglieder sehen ihre Geräte gegenseitig. Wenn du annimmst, sendet und empfängt es dort.',
  audience: {
    seen: 'Alle im Schwarm sehen seine Position',
    members: (count: number) => `(${memberCount(count)})`,
    owner: '(Besitzer: {owner})',
    each_other: 'Alle im Schwarm sehen alle Geräte',
    is_member: 'Schon dabei; sendet und empfängt dann',
  },
  block: 'Benutzer sperren …',
  block_title: '{from} sperren?',
  block_text:
    'Alle offenen Anfragen dieses Benutzers zu {swarm} werden abgelehnt. Links zum Beitreten gelten für ihn nicht. Er erfährt davon nichts. Seine Geräte im Schwarm bleiben. In den Einstellungen des Schwarms kannst du ihn entsperren.',
  block_confirm: 'Ablehnen und sperren',
  map: 'Karte deines Geräts',
  bulk: {
    title: {
      accept: (count: number) => `${invitationCount(count)} annehmen`,
      reject: (count: number) => `${invitationCount(count)} ablehnen`,
      withdraw: (count: number) => `${invitationCount(count)} zurückziehen`,
    },
    title_requests: {
      accept: (count: number) => plural(count, { one: '# Anfrage annehmen', other: '# Anfragen annehmen' }),
      reject: (count: number) => plural(count, { one: '# Anfrage ablehnen', other: '# Anfragen ablehnen' }),
      withdraw: (count: number) => plural(count, { one: '# Anfrage zurückziehen', other: '# Anfragen zurückziehen' }),
    },
    consent_requests:
      'Wenn du annimmst, sehen *jeweils die Person, die angefragt hat, und die Mitglieder des angefragten Schwarms* ihre Geräte darin gegenseitig: Name, Typ, Beschreibung, Position und letztes Lebenszeichen. Wird die Strecke eines Geräts aufgezeichnet, sehen sie die Strecke von jetzt an.\nWerden die Werte des Geräts aufgezeichnet, sehen *alle, die seine Nachrichten lesen können,* die Werte.',
    joins: (devices: number, swarms: number) =>
      `${plural(devices, { one: '# Gerät tritt', other: '# Geräte treten' })} ${swarmCountDative(swarms)} bei.`,
    stays: (devices: number) => plural(devices, { one: '# Gerät bleibt länger.', other: '# Geräte bleiben länger.' }),
    undo: 'Du kannst das kurz danach noch rückgängig machen.',
    over: (count: number) =>
      plural(count, {
        one: '# ist abgelaufen und kann nur abgelehnt werden.',
        other: '# sind abgelaufen und können nur abgelehnt werden.',
      }),
    withdraws: (swarms: number) => `Betrifft ${swarmCount(swarms)}. Du kannst das kurz danach noch rückgängig machen.`,
    more_devices: (count: number) => plural(count, { one: 'und # weiteres Gerät', other: 'und # weitere Geräte' }),
    more_swarms: (count: number) => plural(count, { one: 'und # weiterer Schwarm', other: 'und # weitere Schwärme' }),
    show_more: 'Mehr anzeigen',
    consent:
      'Wenn du annimmst, sehen *Besitzer, Verwalter, Beobachter und Mitglieder* dieser Schwärme jedes Gerät, das beitritt: {what}. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt.\n*Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen,* können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte.\nVerstummt ein Gerät, können *Besitzer, Verwalter und Beobachter* benachrichtigt werden.\nDiese Schwärme haben jetzt {members}.',
    consent_one:
      'Wenn du annimmst, sehen *Besitzer, Verwalter, Beobachter und Mitglieder* des Schwarms jedes Gerät, das beitritt: {what}. Falls du seine Strecke aufzeichnest, sehen sie die Strecke seit dem Beitritt.\n*Besitzer, Verwalter, Beobachter und alle, deren Geräte empfangen,* können lesen, was es dort sendet, auch aus den 24 Stunden vor ihrem Beitritt. Falls du seine Werte aufzeichnest, sehen sie die Werte.\nVerstummt ein Gerät, können *Besitzer, Verwalter und Beobachter* benachrichtigt werden.\nDer Schwarm hat jetzt {members}.',
    consent_of: {
      sends: 'Was ein sendendes Gerät sendet, geht an die empfangenden Geräte seines Schwarms.',
      receives: 'Ein empfangendes Gerät bekommt, was die sendenden Geräte seines Schwarms senden.',
      ends: 'Ein Gerät, das bis zu einer Zeit eingeladen ist, verlässt seinen Schwarm dann automatisch.',
    },
    consent_stay:
      'Wenn du annimmst, bleibt jedes Gerät bis zum angebotenen Ende in seinem Schwarm. Sonst ändert sich nichts.',
    what: 'Name, Typ, Beschreibung, Position und letztes Lebenszeichen',
    members: deviceCount,
    accept: (count: string) => `${count} annehmen`,
    reject: (count: string) => `${count} ablehnen`,
    withdraw: (count: string) => `${count} zurückziehen`,
  },
  empty: {
    received_title: 'Noch keine Einladungen',
    received_text:
      'Gib den Einladungscode eines Geräts an den Besitzer eines Schwarms. Seine Einladungen erscheinen hier.',
    received_action: 'Zu deinen Geräten',
    all_answered: 'Alle beantwortet.',
    sent_title: 'Keine Einladungen aus eigenen Schwärmen gesendet',
    sent_text:
      'Lade ein Gerät in einen deiner Schwärme ein. Der Status der Einladung erscheint hier. Wenn du einen fremden Schwarm verwaltest, stehen seine Einladungen auf seiner Seite.',
    none_match: 'Keine Ergebnisse',
    none_match_text: 'Keine Einladung passt zu „{q}“.',
  },
  error_title: 'Die Einladungen konnten nicht geladen werden',
  not_found_title: 'Einladung nicht gefunden',
  not_found_text: 'Sie wurde möglicherweise zurückgezogen, oder du hast keinen Zugriff.',
  choose: 'Wähle eine Einladung aus, um sie zu lesen.',
  device_box: {
    title: 'Einladungen',
    open: (count: string) => `${count} offen`,
    all: (count: string) => `Alle ${count}`,
    invited: 'Einladung von {from} zu {swarm}',
    invited_by_unknown: 'Einladung zu {swarm}',
    later_end: {
      invited: 'Späteres Ende in {swarm}, angeboten von {from}',
      invited_by_unknown: 'Späteres Ende angeboten in {swarm}',
    },
    sent: 'gesendet {when}',
    none_open: 'Keine offenen Einladungen.',
  },
} as const;

import { plural, swarmCount } from './plural.ts';

export const messages = {
  title: 'Nachrichten',
  loading: 'Nachrichten werden geladen',
  failed: 'Die Nachrichten konnten nicht geladen werden.',
  message: 'Nachricht',
  message_of: 'Nachricht von {name}',
  search: 'Nachrichten durchsuchen',
  search_hint: 'Wörter, etwa: state alarm',
  time: 'Zeit',
  after: 'Von',
  before: 'Bis',
  too_early: 'Wähle eine Zeit nach „Von“.',
  end_search: 'Suche beenden',
  searching: 'Nachrichten werden durchsucht',
  found: (count: number, hasMore: boolean) =>
    `${hasMore ? 'Bisher ' : ''}${plural(count, { one: '# Nachricht', other: '# Nachrichten' })} gefunden. Neue kommen nicht hinzu.`,
  search_on: 'Weitersuchen',
  search_end: 'Suche in einem kürzeren Zeitraum, um andere zu finden.',
  none_found: 'Keine Nachricht passt.',
  export: 'Exportieren',
  formats: { csv: 'CSV, für Tabellen', ndjson: 'JSON, eine Nachricht je Zeile' },
  connect: '{name} verbinden',
  sent_by: 'Was {name} gesendet hat',
  receives_from: (count: number) =>
    count === 0
      ? ('In {swarm} sendet noch kein anderes Gerät' as const)
      : (`Empfängt, was ${plural(count, { one: '# Gerät', other: '# Geräte' })} in {swarm} ${count === 1 ? 'sendet' : 'senden'}` as const),
  sent_in: 'Alles, was es an {swarm} gesendet hat',
  more_swarms: (count: number) =>
    `Und in ${plural(count, { one: '# weiteren Schwarm', other: '# weiteren Schwärmen' })}.`,
  ways: 'Nach Schwarm',
  sent: (time: string) => `Gesendet: ${time}.`,
  sent_to: (time: string) => `Gesendet: ${time}, nur an {name}.` as const,
  sent_to_one: (time: string) => `Gesendet: ${time}, nur an ein Gerät.`,
  send: 'Nachricht senden …',
  send_title: 'Nachricht als dieses Gerät senden',
  send_text:
    'Als hätte das Gerät sie gesendet. Wer empfängt, bekommt sie sofort. Das Gerät gilt damit nicht als gehört: Dafür muss es selbst etwas senden.',
  send_now: 'Senden',
  payload: 'Inhalt',
  payload_hint: 'Ein beliebiger JSON-Wert: eine Zahl, ein Text in Anführungszeichen oder ein Objekt.',
  not_json: 'Das ist kein gültiges JSON. Namen und Texte stehen in doppelten Anführungszeichen.',
  too_large: (most: string) => `Höchstens ${most} KiB.`,
  inexact: (typed: string, sent: string) =>
    `Dieser Browser würde ${sent} statt ${typed} senden. Schreibe ${sent} oder einen Text, oder verwende einen neueren Browser.`,
  swarm: 'Schwarm',
  all_swarms: 'Alle Schwärme, an die es sendet',
  swarm_left: 'Diese Nachricht war für einen Schwarm, an den das Gerät nicht mehr sendet. Wähle neu.',
  sends_nowhere: 'Das Gerät sendet an keinen Schwarm mehr. Dein Text bleibt hier.',
  to: 'An',
  all_consumers: 'Alle, die empfangen',
  no_consumers: 'In diesem Schwarm empfängt noch kein anderes Gerät. Die Nachricht wird einen Tag aufbewahrt.',
  first_consumers: (count: string, total: string) => `Die ersten ${count} von ${total}, die empfangen, nach Namen.`,
  consumers_failed: 'Die Geräte, die empfangen, konnten nicht geladen werden.',
  not_sent: 'Die Nachricht wurde nicht gesendet',
  sent_to_device: 'An {name} gesendet',
  sent_to_swarms: (count: number, leftOut = 0) =>
    `An ${swarmCount(count)} gesendet${leftOut === 0 ? '' : `, nicht an ${leftOut} mit gerade zu vielen Nachrichten`}`,
  none_sent: 'Noch keine Nachrichten. „Verbinden“ weiter unten zeigt, wie dieses Gerät eine sendet.',
  no_producer: 'Noch keine Nachrichten. Dieses Gerät kann senden, sobald es einem Schwarm beitritt und dort sendet.',
  only_receives: 'Dieses Gerät empfängt nur.',
  last: 'Letzte Nachricht {age}',
  newest: 'Neueste Nachrichten',
  value: 'Wert',
  bytes: (count: number, base64: string) => `${plural(count, { one: '# Byte', other: '# Bytes' })}: ${base64}`,
  properties: {
    title: 'Eigenschaften',
    sent_by: 'In der App gesendet von',
    content_type: 'Art des Inhalts',
    response_topic: 'Topic für Antworten',
    correlation_data: 'Kennung für Antworten, als Base64',
    expiry: 'Läuft ab',
  },
  empty_payload: 'Der letzte Inhalt ist leer.',
  more_keys: (count: number) => `${count} weitere anzeigen`,
  only_newest: (count: number) =>
    plural(count, {
      one: 'Nur die neueste Nachricht wird gezeigt.',
      other: 'Nur die neuesten # Nachrichten werden gezeigt.',
    }),
  older_found: 'Ältere findet die Suche darüber, und sie stehen im Schwarm.',
  older_in_swarms: 'Ältere stehen in den Schwärmen.',
  show_all: (count: number) => plural(count, { one: '# Nachricht anzeigen', other: 'Alle # Nachrichten anzeigen' }),
  by_device: 'Nachrichten von',
  all_devices: 'Alle Geräte',
  former: 'früheres Mitglied',
  pause: 'Anhalten',
  resume: (count: number, isMore: boolean) =>
    count === 0
      ? 'Fortsetzen'
      : `Fortsetzen · ${plural(count, { one: '# neue', other: isMore ? '#+ neue' : '# neue' })}`,
  is_live: 'Live',
  is_paused: 'Angehalten. Neue Nachrichten erscheinen, wenn du fortsetzt.',
  seen_by: 'Besitzer, Verwalter, Beobachter und Benutzer mit einem Gerät, das hier empfängt, sehen diese Nachrichten.',
  by_user: 'gesendet von {user}',
  to_one: 'an {name}',
  none_kept: 'Dieses Gerät hat in den letzten 24 Stunden nichts gesendet.',
  denied_title: 'Du kannst die Nachrichten dieses Schwarms nicht sehen',
  denied_text: 'Besitzer, Verwalter, Beobachter und Benutzer mit einem Gerät, das hier empfängt, sehen sie.',
  error_title: 'Die Nachrichten konnten nicht geladen werden',
  empty_title: 'Noch keine Nachrichten',
  empty_text:
    'Ein Gerät sendet Nachrichten mit einem Schlüssel an diesen Schwarm. Sein Besitzer findet Schlüssel und Code auf der Seite des Geräts unter „Verbinden“.',
  flow: {
    loading: 'Wer welche Nachrichten empfängt, wird geladen …',
    failed: 'Wer welche Nachrichten empfängt, konnte nicht geladen werden.',
    sends: (consumers: number, isOne: boolean) =>
      `Was ${isOne ? 'dieses Gerät sendet' : 'deine Geräte senden'}, ${plural(consumers, { one: 'empfängt # Gerät', other: 'empfangen # Geräte' })} von {swarm}.` as const,
    sent: (count: number) =>
      `In den letzten 24 Stunden hat es ${plural(count, { one: '# Nachricht', other: '# Nachrichten' })} gesendet.`,
    receives: (producers: number, isOne: boolean) =>
      `${isOne ? 'Dieses Gerät empfängt' : 'Deine Geräte empfangen'} die Nachrichten von ${plural(producers, { one: '# Gerät', other: '# Geräten' })}.`,
    expected: (interval: string, isOne: boolean) =>
      `Als erwarteten Abstand ${isOne ? 'dieses Geräts' : 'von Geräten ohne eigenen'} legt der Schwarm ${interval} fest. Kommt doppelt so lange nichts ${isOne ? 'vom Gerät' : 'von einem Gerät'}, wirst du benachrichtigt.`,
  },
} as const;

import { memberCount, plural, swarmCountDative } from './plural.ts';

export const device = {
  /** While its position is chosen. */
  place_map: {
    two_fingers: 'Verschiebe die Karte mit zwei Fingern.',
    marked: (place: string) => `Markierung bei ${place}`,
    crossed: (place: string) => `Fadenkreuz bei ${place}`,
  },
  /** The map of one device. */
  position_map: {
    label: 'Karte der Position',
    to_marker: 'Gerät zeigen',
    marker: (name: string) => `Position von ${name}. Pfeiltasten verschieben sie, mit Umschalt in größeren Schritten.`,
    track: {
      label: 'Wo es war',
      empty: 'Die Strecke ist leer. Sie beginnt mit der nächsten Position, die das Gerät sendet.',
      download: 'GeoJSON herunterladen',
    },
  },
  card: {
    region: 'Ausgewähltes Gerät',
    changed: '{type} · geändert {age}',
    unplaced: 'Keine Position',
    open: 'Öffnen',
    next: 'Nächstes Gerät',
    previous: 'Voriges Gerät',
    edit: 'Bearbeiten',
    id_copied: 'ID kopiert',
    link_copied: 'Link kopiert',
    copy_position: (position: string) => `Koordinaten ${position} kopieren`,
    position_copied: 'Koordinaten kopiert',
    more_swarms: (count: string) => `${count} weitere`,
    not_found: 'Gerät nicht verfügbar',
    not_found_text: 'Es wurde gelöscht, oder ihr habt keinen gemeinsamen Schwarm mehr.',
  },
  reported: {
    accuracy: (distance: string) => `± ${distance}`,
    metres: (metres: string) => `${metres} m`,
    time: 'Position {age}',
    battery: (percent: string) => `Akku ${percent} %`,
    speed: (kilometres: string) => `${kilometres} km/h`,
  },
  refused: {
    times: (count: number) =>
      plural(count, { one: 'Einmal abgelehnt, {age}: {reason}', other: '#-mal abgelehnt, zuletzt {age}: {reason}' }),
    wrong_keys: (count: number) =>
      plural(count, {
        one: 'Für dieses Gerät wurde {age} ein falscher Schlüssel verwendet. War es das Gerät selbst, gib ihm einen Schlüssel unter „{action}“.',
        other:
          'Für dieses Gerät wurden #-mal falsche Schlüssel verwendet (zuletzt {age}). War es das Gerät selbst, gib ihm einen Schlüssel unter „{action}“.',
      }),
    only_consumer: 'es empfängt in {swarms} nur. Lass es dort auch senden.',
    no_swarm: 'es ist in keinem Schwarm. Füge es einem hinzu, in dem es sendet.',
    reasons: {
      'body.invalid': 'ein Wert ist ungültig ({detail}).',
      'body.not_json': 'es sagt nicht, dass es JSON sendet. Setze den Header Content-Type auf application/json.',
      'body.too_large': 'was es sendet, ist zu groß. Eine Nachricht hat bis zu 16 KiB.',
      'body.unreadable': 'die Nutzdaten sind kein JSON. Prüfe Anführungszeichen und Klammern.',
      'events.too_many': 'es verbindet sich zu oft. Prüfe, ob ein anderes Programm seinen Schlüssel verwendet.',
      'key.not_allowed': 'sein Schlüssel wurde für ein anderes Gerät verwendet. Prüfe die ID, die es sendet.',
      'rate.exceeded': 'es sendet zu viel. Lass es seltener senden.',
      'report.inaccurate':
        'eine Position, die nur auf {detail} genau ist, ersetzt keine bessere der letzten Stunde. Lass das Gerät seinen genauen Standort verwenden.',
      'report.encrypted':
        'in der App ist die Verschlüsselung eingeschaltet. Schalte sie aus: verschlüsselte Positionen sind nicht lesbar.',
      'route.not_found': 'diese Adresse oder dieses Topic gibt es nicht ({detail}).',
    },
  },
  none: {
    title: (count: number) =>
      count === 1
        ? 'Kein Gerät passt zu diesem Filter'
        : count === 2
          ? 'Kein Gerät passt zu beiden Filtern'
          : `Kein Gerät passt zu allen ${count} Filtern`,
    text: (count: number) => (count === 1 ? 'Wenn du ihn entfernst:' : 'Wenn du einen davon entfernst:'),
    search: 'Suche „{q}“',
    lost_swarm: 'nicht mehr verfügbar',
    swarm: 'Schwarm {name}',
    remove: 'Entfernen',
    clear: 'Alle Filter entfernen',
  },
  placing: {
    title: '{name} platzieren',
    hint: 'Klicke auf die Karte, schiebe sie unter das Fadenkreuz oder gib Koordinaten ein.',
    hint_touch: 'Tippe auf die Karte, schiebe sie unter das Fadenkreuz oder gib Koordinaten ein.',
    hint_pinned: 'Schiebe die Karte unter die Nadel oder gib Koordinaten ein.',
    hint_proposed: 'Bestätige die Markierung oder wähle eine andere Stelle auf der Karte.',
    search: 'Ort auf der Karte finden',
    search_hint: 'Stadt oder Land',
    places: 'Orte',
    found: (count: number) => plural(count, { one: '# Ort gefunden', other: '# Orte gefunden' }),
    none: 'Keine passenden Orte.',
    loading: 'Orte werden geladen …',
    not_loaded: 'Die Orte konnten nicht geladen werden. Versuche es noch einmal, oder gib Koordinaten ein.',
    set: 'Hier platzieren',
    failed: 'Das Gerät konnte nicht platziert werden',
  },
  own_location: 'Meinen Standort verwenden',
  own_location_short: 'Mein Standort',
  own_accuracy: (distance: string) => `Dein Standort ist nur auf ${distance} genau. Prüfe ihn auf der Karte.`,
  location_errors: {
    unsupported: 'Dein Standort ist nur über HTTPS oder auf localhost verfügbar.',
    denied:
      'Der Zugriff auf den Standort ist blockiert. Erlaube ihn in den Website-Einstellungen oder gib Koordinaten ein.',
    unavailable: 'Dein Standort ist nicht verfügbar. Gib stattdessen Koordinaten ein.',
    timeout: 'Die Standortsuche hat zu lange gedauert. Versuche es erneut oder gib Koordinaten ein.',
  },
  form: {
    name: 'Name',
    machine_type: 'Gerätetyp',
    machine_type_hint:
      'PC: ein Computer. Bug: ein Sensor oder ein anderes kleines Gerät. Smartphone: ein Telefon oder Tablet.',
    description: 'Beschreibung',
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
    positioned_at: 'Zeit der Position',
    accuracy: 'Genauigkeit in Metern',
    expected_every: 'Erwarteter Abstand',
    keep_track: 'Strecke aufzeichnen',
    keep_values: 'Werte aufzeichnen',
    not_expected: 'Nicht festgelegt',
    never_expected: 'Nie erwartet',
    expected_of: (interval: string) => `Jetzt: ${interval}, festgelegt vom Schwarm {swarm}.` as const,
    expected_hint:
      'Kommt doppelt so lange nichts vom Gerät, gilt es als stumm, und du wirst benachrichtigt. „Nicht festgelegt“: Es gilt die kürzeste Zeit, die in seinen Schwärmen festgelegt ist. „Nie erwartet“: Das Gerät gilt nie als stumm.',
    keep_track_hint:
      'Speichert die letzten 1.000 Positionen, bis zu 30 Tage lang. Andere sehen nur Positionen aus der Zeit, seit der sie das Gerät sehen können. Wenn du das ausschaltest, wird die Strecke gelöscht.',
    track_kept: 'Wird aufgezeichnet',
    track_not_kept: 'Wird nicht aufgezeichnet',
    keep_values_hint:
      'Speichert bis zu 32 Zahlen und 8 Zustände aus den Nachrichten des Geräts. „Werte“ auf dieser Seite nennt, was nicht aufgezeichnet wird, und dort kannst du auswählen. Jeder Wert bleibt einen Tag. Eine Zusammenfassung von je 5 Minuten bleibt 7 Tage, eine von jeder Stunde ein Jahr. Andere sehen nur Werte aus der Zeit, seit der sie seine Nachrichten in einem Schwarm lesen können. Wenn du das ausschaltest, werden die Werte gelöscht.',
    values_time: 'Zeit eines Werts',
    values_times: { sent_at: 'Wann seine Nachricht gesendet wurde', time: 'Die „time“ in seiner Nachricht' },
    position: 'Position',
    changed: 'geändert',
    placeholder_name: 'Gewächshaus-Sensor 3',
    on_map: 'Auf Karte platzieren',
    errors: {
      missing: 'Dieses Feld ist erforderlich.',
      missing_machine_type: 'Wähle einen Gerätetyp.',
      not_a_number: 'Gib Grad ein, zum Beispiel 52.924, −12.5, 47.3769° N oder 8° 32′ 30″ E.',
      out_of_range: (most: string) => `Von −${most} bis ${most} Grad.`,
      other_half: 'Gib Breiten- und Längengrad ein.',
    },
  },
  add_dialog: {
    stored: 'Deine Eingaben bleiben in diesem Tab, bis du ein Gerät hinzufügst.',
    other: 'Das hast du vorher eingegeben.',
    start_over: 'Neu beginnen mit {name}',
    is_sent: 'Das Gerät wird noch hinzugefügt.',
    added: '{name} hinzugefügt',
    failed: 'Das Gerät wurde nicht hinzugefügt',
    waits: 'Dieses Gerät wird hinzugefügt, sobald der Server erreichbar ist.',
    title: 'Gerät hinzufügen',
    text: 'Nur du siehst es, bis es einem Schwarm beitritt. Du kannst auch {import} oder {phone}.',
    create: 'Gerät hinzufügen',
    import: 'eine Datei importieren',
    phone: 'ein Telefon als Gerät nutzen',
  },
  page: {
    back: 'Zurück zu den Geräten',
    changed: 'geändert {age}',
    added: 'hinzugefügt {date}',
    id: 'ID',
    fields_changed: (count: number) => plural(count, { one: '# Feld geändert', other: '# Felder geändert' }),
    save: 'Speichern',
    saved: 'Gespeichert',
    not_saved: 'Noch nicht gespeichert',
    postponed: 'Wartet aufs Senden',
    not_sent: (fields: string) => `Nicht gesendet: ${fields}`,
    drag: 'Ziehe die Markierung oder fokussiere sie und nutze die Pfeiltasten.',
    drag_touch: 'Ziehe die Markierung oder tippe auf die neue Stelle.',
    swarms: 'Schwärme',
    no_swarms: 'Dieses Gerät ist in keinem Schwarm. Andere sehen es nur mit einem Link, den du erstellst.',
    add_to_swarm: 'Zu eigenem Schwarm hinzufügen …',
    swarm_by: (members: string) => `von {owner} · ${members}` as const,
    by_you: 'dir',
    members: memberCount,
    deleting: 'Dieses Gerät wird gelöscht …',
    deletion_postponed: 'Das Löschen dieses Geräts wartet aufs Senden.',
    delete: 'Gerät löschen …',
    delete_text: (swarms: number) =>
      swarms === 0
        ? 'Beim Löschen wird es aus deinem Konto entfernt.'
        : `Beim Löschen wird es aus deinem Konto und aus ${swarmCountDative(swarms)} entfernt.`,
    read_only:
      'Dieses Gerät gehört {owner}. Nur wer es besitzt, kann es ändern. Du siehst es, weil ihr einen gemeinsamen Schwarm habt.',
    loading: 'Gerät wird geladen',
    deleted: 'Dieses Gerät wurde {time} gelöscht.',
    taken_over: '{user} hat dieses Gerät {time} übernommen.',
    deleted_or_taken: 'Dieses Gerät wurde gelöscht, oder es gehört jetzt jemand anderem.',
    as_it_was: 'Diese Seite zeigt das Gerät, wie es davor war.',
    create_again: 'Erneut anlegen',
    not_found_title: 'Gerät nicht gefunden',
    not_found_text: 'Es wurde möglicherweise gelöscht, oder du hast keinen Zugriff.',
    all_devices: 'Alle Geräte',
    error_title: 'Das Gerät konnte nicht geladen werden',
    also_elsewhere: (fields: string) => `Auch an anderer Stelle geändert: ${fields}`,
  },
  conflict: {
    title: (count: number) =>
      plural(count, {
        one: '# Feld wurde an zwei Stellen geändert',
        other: '# Felder wurden an zwei Stellen geändert',
      }),
    text: (time: string) =>
      `Das Gerät wurde auch um ${time} Uhr geändert. Wähle aus, welche Werte bleiben. Alle anderen Änderungen werden zusammengeführt.`,
    mine: 'Mein Wert',
    theirs: 'Gespeicherter Wert',
    before: 'Vorher',
    empty: 'leer',
    merged: 'Automatisch zusammengeführt: {list}.',
    merged_name: '{field} (neu): „{value}“',
    merged_field: '{field} (neu)',
    fields: {
      name: 'Name',
      machine_type: 'Gerätetyp',
      description: 'Beschreibung',
      position: 'Position',
      expected_every: 'erwarteter Abstand',
      keep_track: 'Strecke',
      keep_values: 'Aufzeichnung der Werte',
    },
    save: 'Auswahl speichern',
    theirs_all: 'Alle gespeicherten Werte übernehmen',
    back: 'Zurück zum Bearbeiten',
    back_short: 'Zurück',
    stays: 'Deine Eingaben bleiben bis zum Speichern erhalten.',
  },
  records: {
    title: 'Aufgezeichnetes löschen?',
    text: 'Die Aufzeichnung endet, und dies wird gelöscht. Das lässt sich nicht zurücknehmen.',
    leaving: 'Das Speichern beendet auch eine Aufzeichnung und löscht:',
    track: 'Die Strecke',
    track_since: (count: number, since: string) =>
      `Die Strecke: ${plural(count, { one: '# Position', other: '# Positionen' })} seit ${since}`,
    no_track: 'Die Strecke: noch keine Positionen',
    values: 'Die aufgezeichneten Werte',
    values_since: (since: string) => `Die Werte, die seit ${since} aufgezeichnet wurden`,
    export_values: 'Als Datei speichern',
    save: 'Speichern und löschen',
  },
  remove_from_swarm: {
    remove: 'Entfernen',
    remove_of: (swarm: string) => `Aus ${swarm} entfernen`,
  },
  delete: {
    title: '{name} löschen?',
    text: 'Du kannst das einen Tag lang unter „Aktivität“ rückgängig machen. Seine Schlüssel, seine Links, seine Nachrichten, seine Strecke und seine aufgezeichneten Werte kommen aber nicht zurück.',
    returns:
      'Beim Rückgängigmachen bekommt es seine Rollen in deinen eigenen Schwärmen zurück. In andere Schwärme muss es neu eingeladen werden.',
    leaves: (count: number) =>
      plural(count, {
        one: 'Es wird auch aus diesem Schwarm entfernt:',
        other: 'Es wird auch aus diesen # Schwärmen entfernt:',
      }),
    no_swarms: 'Es ist in keinem Schwarm.',
    looking: 'Schwärme werden geladen …',
    unknown: 'Die Schwärme konnten nicht geladen werden. Es wird aus allen Schwärmen entfernt, in denen es ist.',
    confirm: 'Löschen',
  },
} as const;

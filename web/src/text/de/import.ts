import { deviceCount, plural, rowCount } from './plural.ts';

export const importing = {
  title: 'Geräte importieren',
  back: 'Zurück zu den Geräten',
  steps: { label: 'Schritte', file: 'Datei', columns: 'Spalten', check: 'Probelauf', import: 'Import' },
  file: {
    drop: 'CSV- oder GeoJSON-Datei hier ablegen',
    drop_touch: 'CSV- oder GeoJSON-Datei auswählen',
    text: 'Eine Zeile pro Gerät, darüber eine Zeile mit den Spaltennamen. Name und Gerätetyp (PC, Bug oder Smartphone) sind erforderlich. Beschreibung, Längen- und Breitengrad sind optional. Es wird nichts importiert, bevor du das Ergebnis geprüft hast.',
    choose: 'Datei auswählen',
    example: 'Beispiel herunterladen',
    example_name: 'geraete.csv',
    mine: 'Als CSV herunterladen',
    mine_name: 'meine Geräte.csv',
    mine_geojson: 'Als GeoJSON herunterladen',
    mine_geojson_name: 'meine Geräte.geojson',
    mine_text:
      'Um viele Geräte auf einmal zu ändern, lade sie als Datei herunter, bearbeite die Datei und importiere sie.',
    mine_failed: 'Deine Geräte konnten nicht geladen werden',
    another: 'Andere Datei auswählen',
    rows: rowCount,
    kilobytes: (count: string) => `${count} kB`,
    megabytes: (count: string) => `${count} MB`,
    separators: { ',': 'Komma', ';': 'Semikolon', '\t': 'Tabulator', '|': 'senkrechter Strich' },
    encodings: {
      'utf-8': 'UTF-8',
      'windows-1252': 'Windows-1252 (Westeuropa)',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 BE',
      'windows-1250': 'Windows-1250 (Mitteleuropa)',
      'windows-1251': 'Windows-1251 (Kyrillisch)',
      macintosh: 'Mac Roman',
      shift_jis: 'Shift JIS (Japanisch)',
      gb18030: 'GB 18030 (Chinesisch)',
    },
    encoding: (encoding: string, separator: string) => `${encoding}, ${separator}`,
    error_title: 'Diese Datei kann nicht importiert werden',
    errors: {
      empty: 'Die Datei ist leer.',
      no_rows: 'Die Datei enthält Spaltennamen, aber keine Zeilen darunter.',
      not_text:
        'Das ist keine Textdatei. Importiert werden können nur CSV- und GeoJSON-Dateien. Wähle in einer Tabellenkalkulation „Speichern unter“ und dann CSV UTF-8; entpacke eine ZIP- oder KMZ-Datei zuerst.',
      xml: 'GPX, KML und andere XML-Dateien können nicht importiert werden. Wandle die Datei in CSV oder GeoJSON um.',
      wrong_encoding: 'Die Datei ist in dieser Zeichencodierung nicht lesbar. Die bisherige wird weiter verwendet.',
      broken: 'Die erste Zeile ist nicht lesbar: Ein Anführungszeichen ist nicht geschlossen.',
      not_json: 'Die Datei ist kein vollständiges JSON. Lade sie noch einmal herunter, oder kopiere sie neu.',
      not_geojson: 'Das ist keine GeoJSON-FeatureCollection mit Punkten.',
      other_coordinates:
        'Diese Datei verwendet ein anderes Koordinatensystem. Exportiere sie erneut, mit Längen- und Breitengraden in WGS 84 (EPSG:4326).',
      too_large:
        'Die Datei ist größer als 50 MB. Teile sie auf, oder bitte den Betreiber des Servers, sie zu importieren.',
      not_known: 'Die Datei enthält Geräte-IDs, aber deine Geräte konnten nicht geladen werden. Versuche es erneut.',
      unreadable:
        'Der Browser konnte die Datei nicht lesen. Vielleicht wurde sie verschoben oder geändert. Wähle sie erneut aus.',
    },
    before: 'Diese Datei wurde am {date} importiert: {devices}. Ein erneuter Import erzeugt Duplikate.',
    devices: deviceCount,
  },
  columns: {
    title: 'Spalten',
    separator: 'Trennzeichen',
    encoding: 'Zeichencodierung',
    header: 'Spaltennamen',
    header_line: (line: string, start: string) => `Zeile ${line}: ${start}`,
    above: (count: number) =>
      plural(count, {
        one: '# Zeile über den Spaltennamen wird nicht importiert: {lines}.',
        other: '# Zeilen über den Spaltennamen werden nicht importiert: {lines}.',
      }),
    corrected: (count: number, form: string, line: string) =>
      plural(count, {
        one: `# korrigierte Zeile gehört zu ${form}, mit Spaltennamen in Zeile ${line}. Wähle dies wieder, um sie zurückzuholen.`,
        other: `# korrigierte Zeilen gehören zu ${form}, mit Spaltennamen in Zeile ${line}. Wähle dies wieder, um sie zurückzuholen.`,
      }),
    quoted: (text: string) => `„${text}“`,
    letter_o: 'O in Längengraden',
    letters_o: { east: 'Ost', west: 'West (ouest, oeste, ovest)' },
    choose: 'Auswählen …',
    machine_types: 'Gerätetypen',
    machine_types_text: 'Die Datei enthält Gerätetypen, die dieser Server nicht hat. Wähle für jeden einen anderen.',
    type_of_all: 'Gerätetyp aller Zeilen',
    type_of_new: 'Gerätetyp neuer Geräte',
    other_types: 'Alle anderen',
    other_types_and_untyped: 'Alle anderen, und Zeilen ohne Gerätetyp',
    untyped: 'Zeilen ohne Gerätetyp',
    machine_type_of: (type: string) => `Gerätetyp ${type} importieren als`,
    rows: rowCount,
    foreign_ids: '„{column}“ enthält keine IDs dieses Servers und wird deshalb nicht importiert.',
    used: (used: string, all: string) => `${used} von ${all} verwendet`,
    column: 'Spalte',
    goes_to: 'Importieren als',
    first: 'Erster Wert',
    nameless: (number: string) => `Spalte ${number}`,
    goes_to_of: (name: string) => `${name} importieren als`,
    uses: { id: 'Geräte-ID', changed_at: 'Letzte Änderung', skip: 'Nicht importieren' },
  },
  check: {
    title: 'Probelauf',
    nothing_written: 'noch nichts importiert',
    reading: (percent: string) => `Wird gelesen … ${percent} %`,
    lacking: 'Wähle eine Spalte für {columns}, um das Ergebnis zu sehen.',
    lacking_type: 'Wenn keine Spalte den Gerätetyp enthält, wähle einen für alle Zeilen.',
    fresh: 'neu',
    changed: 'zu aktualisieren',
    same: 'unverändert',
    with_errors: 'mit Fehlern',
    errors: 'Zeilen mit Fehlern',
    changes: 'Geräte, die sich ändern',
    changed_more: (count: string) => `Nur die ersten ${count} sind aufgelistet.`,
    nothing: 'leer',
    newer: 'nach dem Export geändert',
    newer_note: (count: number) =>
      plural(count, {
        one: '# Gerät wurde nach dem Export dieser Datei geändert. Der Import überschreibt diese Änderung.',
        other: '# Geräte wurden nach dem Export dieser Datei geändert. Der Import überschreibt diese Änderungen.',
      }),
    leave_out: 'Diese Zeilen auslassen',
    left_newer: (count: number) =>
      plural(count, {
        one: '# Zeile wird ausgelassen, weil ihr Gerät nach dem Export dieser Datei geändert wurde.',
        other: '# Zeilen werden ausgelassen, weil ihre Geräte nach dem Export dieser Datei geändert wurden.',
      }),
    include: 'Diese Zeilen einschließen',
    repeated_note: (count: number) =>
      plural(count, {
        one: '# Zeile ist mit einer anderen identisch: {lines}. Der Import legt für jede ein Gerät an.',
        other: '# Zeilen sind mit anderen identisch: {lines}. Der Import legt für jede ein Gerät an.',
      }),
    new_devices: 'Neue Geräte',
    unplaced: 'keine Position',
    unplaced_note: (count: number) =>
      plural(count, {
        one: '# neues Gerät hat keine Position: {names}.',
        other: '# neue Geräte haben keine Position: {names}.',
      }),
    at_zero_note: (count: number) =>
      plural(count, {
        one: '# neues Gerät liegt bei 0, 0 im Meer vor Afrika: {names}. Prüfe, ob seine Position bekannt ist.',
        other: '# neue Geräte liegen bei 0, 0 im Meer vor Afrika: {names}. Prüfe, ob ihre Positionen bekannt sind.',
      }),
    more_rows: (count: string) => `${count} weitere`,
    left_repeated: (count: number) =>
      plural(count, {
        one: '# Zeile wird ausgelassen, weil sie mit einer anderen identisch ist.',
        other: '# Zeilen werden ausgelassen, weil sie mit anderen identisch sind.',
      }),
    known_note: (count: number) =>
      plural(count, {
        one: '# Zeile hat den Namen eines Geräts, das du schon hast, oder einer Zeile darüber: {names}. Der Import legt ein weiteres Gerät an.',
        other:
          '# Zeilen haben die Namen von Geräten, die du schon hast, oder von Zeilen darüber: {names}. Der Import legt für jede ein weiteres Gerät an.',
      }),
    left_known: (count: number) =>
      plural(count, {
        one: '# Zeile wird ausgelassen, weil ein vorhandenes Gerät oder eine Zeile darüber ihren Namen hat.',
        other: '# Zeilen werden ausgelassen, weil vorhandene Geräte oder Zeilen darüber ihre Namen haben.',
      }),
    not_compared:
      'Deine Geräte konnten nicht geladen werden. Zeilen mit den Namen vorhandener Geräte sind nicht erkennbar.',
    feature: (number: string) => `Feature ${number}`,
    fix_feature: (number: string) => `Feature ${number} korrigieren`,
    show_feature: (number: string) => `Feature ${number} anzeigen`,
    line: (line: string) => `Zeile ${line}`,
    fix: 'Korrigieren',
    show: 'Anzeigen',
    show_line: (line: string) => `Zeile ${line} anzeigen`,
    fix_line: (line: string) => `Zeile ${line} korrigieren`,
    left_out: 'Zeilen mit Fehlern werden übersprungen. Du kannst sie als Datei herunterladen.',
    none: 'Keine Zeile hat einen Fehler.',
    more: (count: string) => `Nur die ersten ${count} sind aufgelistet. Die heruntergeladene Datei enthält alle.`,
    save: 'Zeilen mit Fehlern herunterladen',
    saved_name: (name: string) => `${name} Fehler.csv`,
    problem: 'Problem',
  },
  row_errors: {
    not_yours: '„{value}“ ist keines deiner Geräte',
    not_exported:
      '„{value}“ ist keine Zeit, wie ein Export sie schreibt. Exportiere erneut. Um neuere Änderungen zu überschreiben, importiere diese Spalte nicht.',
    twice: '„{value}“ steht schon in einer Zeile darüber',
    missing: {
      name: 'leer; ein Name ist erforderlich',
      machine_type: 'leer; muss PC, Bug oder Smartphone sein',
    },
    missing_coordinate: 'leer; eine Position braucht Breiten- und Längengrad',
    invisible: 'enthält keine sichtbaren Zeichen',
    too_long: (most: string) => `länger als ${most} Zeichen`,
    not_utf8: 'nicht lesbar; wähle eine andere Zeichencodierung, oder speichere die Datei als CSV UTF-8',
    unprintable: 'enthält ein Steuerzeichen',
    unknown: '„{value}“ ist nicht PC, Bug oder Smartphone',
    geometry: 'die Geometrie ist vom Typ {value}; nur Punkte können importiert werden',
    not_a_number: '„{value}“ ist keine Gradzahl wie 8.5492',
    no_pair: '„{value}“ ist kein Breiten- und Längengrad wie 47.4583, 8.5492',
    letter_o: '„{value}“: Wähle unter „Spalten“, ob O Ost oder West bedeutet',
    out_of_range: (most: string) => `„{value}“ liegt nicht zwischen −${most} und ${most}` as const,
    swapped: (most: string) => `„{value}“ liegt nicht zwischen −${most} und ${most}; vertauscht?` as const,
    no_interval:
      '„{value}“ ist weder 0 (nie) noch eine ganze Zahl von Sekunden von 60 bis 2592000, auch als 5 Min., 1 Std. oder 1 Tag',
    no_time: '„{value}“ ist keine Zeit mit Zeitzone wie 2026-01-02T03:04:05Z',
    no_accuracy: '„{value}“ ist keine Anzahl von Metern',
    no_answer: '„{value}“ ist nicht true oder false',
    no_kept_values: '„{value}“ ist nicht sent_at oder time',
    unnamed_column: '„{value}“ steht in einer Spalte ohne Namen',
    too_many_cells: (fields: number, columns: number) =>
      `${plural(fields, { one: '# Feld', other: '# Felder' })} für ${plural(columns, { one: '# Spalte', other: '# Spalten' })}`,
    record_too_long: 'länger als 65.536 Zeichen',
    quote_left_open: 'ein Anführungszeichen ist nicht geschlossen',
    text_after_quote:
      'Text nach einem schließenden Anführungszeichen; verdopple Anführungszeichen innerhalb eines Texts',
  },
  fixing: {
    shown_text: 'Diese Zeile wird nicht importiert. Nach dem Import kannst du die übrigen Zeilen korrigieren.',
    text: 'Die korrigierte Zeile wird mit den anderen importiert. Deine Datei bleibt unverändert.',
    field: (number: string) => `Feld ${number}`,
    save: 'Speichern',
    beyond: 'Für dieses Feld gibt es keine Spalte. Verschiebe oder entferne den Text.',
    in_file: 'In der Datei: {line}',
  },
  start: {
    title: 'Import',
    text: (count: number) =>
      plural(count, {
        one: '# Gerät wird deinem Konto hinzugefügt.',
        other: '# Geräte werden deinem Konto hinzugefügt.',
      }),
    left: (count: number) =>
      plural(count, {
        one: '# Zeile mit Fehlern wird übersprungen.',
        other: '# Zeilen mit Fehlern werden übersprungen.',
      }),
    nothing: 'Es können keine Zeilen importiert werden.',
    nothing_new: 'Es gibt nichts zu importieren: Deine Geräte haben diese Werte schon.',
    start: (count: number, changes: boolean) =>
      count === 0 ? 'Importieren' : `${changes ? rowCount(count) : deviceCount(count)} importieren`,
    changed: (count: number) =>
      plural(count, { one: '# deiner Geräte wird geändert.', other: '# deiner Geräte werden geändert.' }),
    quota: (allowed: string, room: string, adding: string) =>
      `Dein Konto kann höchstens ${allowed} Geräte haben. Von ${adding} neuen Geräten ist nur noch für ${room} Platz. Die übrigen Zeilen schlagen fehl.`,
  },
  records: {
    text: 'Die Datei schaltet Aufzeichnungen aus. Sie enden, und dies wird gelöscht. Das Rückgängigmachen des Imports bringt es nicht zurück.',
    tracks: (count: number) => plural(count, { one: 'Die Strecke von # Gerät', other: 'Die Strecken von # Geräten' }),
    values: (count: number) =>
      plural(count, { one: 'Die aufgezeichneten Werte von # Gerät', other: 'Die aufgezeichneten Werte von # Geräten' }),
    start: 'Importieren und löschen',
  },
  job: {
    uploading: '{file} wird hochgeladen',
    pending: '{file} wird importiert',
    running: '{file} wird importiert',
    paused: 'Import von {file} pausiert',
    done: '{file} importiert',
    stopped: 'Import von {file} gestoppt',
    percent: (percent: string) => `${percent} %`,
    progress: (done: string, all: string) => `${done} von ${all} Zeilen`,
    left: (time: string) => `noch etwa ${time}`,
    seconds: (count: string) => `${count} s`,
    minutes: (count: string) => `${count} min`,
    keep_open: 'Lass diesen Tab geöffnet, bis alles hochgeladen ist.',
    postponed: 'Import von {file} wartet',
    waits_here:
      'Der Server ist nicht erreichbar. Dieser Browser behält die Zeilen und sendet sie später, solange Swarmdeck geöffnet ist.',
    outlives: 'Der Server importiert die Zeilen. Du kannst diesen Tab schließen.',
    waiting: 'Der Server kann gerade nichts speichern. Der Import läuft von selbst weiter.',
    imported: (count: number) =>
      plural(count, { one: '# Zeile wurde importiert.', other: '# Zeilen wurden importiert.' }),
    undoing: 'Dieser Import wird rückgängig gemacht.',
    undone: 'Dieser Import wurde rückgängig gemacht.',
    failed: (count: number) =>
      plural(count, { one: '# Zeile wurde nicht importiert', other: '# Zeilen wurden nicht importiert' }),
    not_taken: (count: number) =>
      plural(count, { one: '# Zeile ist fehlgeschlagen:', other: '# Zeilen sind fehlgeschlagen:' }),
    fix_rest: (count: number) =>
      plural(count, { one: 'Die übrige Zeile korrigieren', other: 'Die # übrigen Zeilen korrigieren' }),
    rest_name: (name: string) => `${name} (Rest)`,
    stop_title: 'Diesen Import stoppen?',
    stop_text: (done: number, rest: number) =>
      `${plural(done, { one: '# importiertes Gerät bleibt erhalten.', other: '# importierte Geräte bleiben erhalten.' })} ${plural(rest, { one: '# Zeile wird nicht importiert.', other: '# Zeilen werden nicht importiert.' })}`,
    stop_confirm: 'Import stoppen',
    go_on: 'Weiter importieren',
  },
} as const;

export const connect = {
  title: 'Schlüssel für dieses Gerät',
  action: 'Verbinden',
  none: '„Verbinden“ erstellt einen Schlüssel und zeigt den Code, der damit eine Nachricht sendet.',
  create_title: 'Gerät verbinden',
  create_text:
    'Das Gerät bekommt einen eigenen Schlüssel. Ein Programm kann damit nur Nachrichten dieses Geräts senden und empfangen sowie seine Angaben lesen und ändern.',
  ready_text:
    'Kopiere ihn jetzt, denn er wird nur einmal angezeigt. Wer ihn hat, kann als dieses Gerät handeln, bis du ihn widerrufst.',
  direction: 'Was der Code tut',
  directions: { send: 'Sendet', receive: 'Empfängt' },
  language: 'Sprache',
  languages: { curl: 'curl', javascript: 'JavaScript', python: 'Python', arduino: 'Arduino', mqtt: 'MQTT' },
  code: 'Code',
  hints: {
    curl: 'Füge ihn in ein Terminal ein.',
    javascript: 'Für Node ab Version 20: als message.mjs speichern und „node message.mjs“ ausführen.',
    python: 'Für Python 3, ohne Pakete: als message.py speichern und „python3 message.py“ ausführen.',
    arduino:
      'Für ESP32. Verbinde dich zuerst mit dem WLAN und rufe dann die Funktion auf. Damit das Zertifikat des Servers geprüft wird, gib begin() dein CA-Zertifikat mit.',
    mqtt: 'Braucht die Clients von mosquitto: Füge es in ein Terminal ein. Andere MQTT-Clients gehen auch. Der Benutzername ist die ID des Geräts, das Passwort der Schlüssel und das Topic „messages“.',
  },
  stream_ends:
    'Der Code endet, wenn der Server den Datenstrom schließt, zum Beispiel nach einem Update. Damit nichts fehlt, starte ihn dann mit „?since=“ und der id der letzten Nachricht am Ende der Adresse.',
  missed: 'Der Client verbindet sich von selbst wieder, bekommt aber nicht, was inzwischen gesendet wurde.',
  no_role: {
    any: 'Dieses Gerät ist noch in keinem Schwarm, deshalb kann es weder senden noch empfangen. Du kannst seinen Schlüssel jetzt erstellen und es später zu einem Schwarm hinzufügen. Ein eigener mit nur diesem Gerät reicht.',
    send: 'Dieses Gerät sendet noch an keinen Schwarm, deshalb werden seine Nachrichten abgelehnt. Es kann senden, sobald es einem beitritt, der es zulässt. Der Code bleibt gleich.',
    receive:
      'Dieses Gerät empfängt noch von keinem Schwarm. Es empfängt, sobald es einem beitritt, der es zulässt. Der Code bleibt gleich.',
  },
  phone: {
    action: 'Ein Telefon als Gerät nutzen',
    text: 'Die kostenlose App OwnTracks meldet die Position des Telefons, auch im Hintergrund. Alle, die das Gerät sehen, sehen, wo das Telefon ist.',
    until: 'Teilen bis',
    share: 'Position teilen',
    no_key: '„{name}“ wurde hinzugefügt, hat aber noch keinen Schlüssel.',
    ready: 'OwnTracks einrichten',
    get: 'OwnTracks laden',
    ready_text:
      'Installiere zuerst OwnTracks auf dem Telefon. Der Link und der Code enthalten einen Schlüssel und werden nur einmal angezeigt. Wer sie hat, kann als dieses Gerät handeln.',
    open: 'OwnTracks auf diesem Telefon einrichten',
    scan: 'Um ein anderes Telefon einzurichten, scanne diesen Code mit seiner Kamera.',
    qr: 'QR-Code, der OwnTracks einrichtet',
    stored: {
      is_stored: 'OwnTracks ist auf dem Telefon eingerichtet',
      lost_title: 'OwnTracks noch nicht eingerichtet?',
      lost_text: 'Nach dem Schließen können Link und Code nicht mehr angezeigt werden.',
      lost_close: 'Ohne Einrichtung schließen',
      lost_back: 'Zurück zum Code',
    },
    waiting: 'Wartet auf die erste Meldung …',
    failed: 'Meldungen des Telefons konnten nicht geladen werden.',
    connected: 'Verbunden: Der Schlüssel wird verwendet',
    shares:
      'Bis du das Teilen beendest, sehen alle, die dieses Gerät sehen, wo das Telefon ist und wann es zuletzt online war.',
    shares_until: 'Bis {date} sehen alle, die dieses Gerät sehen, wo das Telefon ist und wann es zuletzt online war.',
    shares_track: 'Sie sehen auch seine Strecke.',
    stop: 'Nicht mehr teilen',
    stop_title: 'Position des Telefons nicht mehr teilen?',
    stop_text:
      'Alle Schlüssel von Telefonen für dieses Gerät werden widerrufen, und von ihnen wird nichts mehr angenommen. Die letzte Position bleibt, bis du sie änderst.',
    stopped: 'Das Telefon teilt seine Position nicht mehr',
  },
  waiting: 'Wartet auf die erste Nachricht …',
  connected: 'Verbunden: erste Nachricht {age}',
} as const;

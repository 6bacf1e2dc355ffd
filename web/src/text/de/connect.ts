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
  languages: { curl: 'curl', javascript: 'JavaScript', python: 'Python', arduino: 'Arduino', owntracks: 'OwnTracks' },
  code: 'Code',
  hints: {
    curl: 'Füge ihn in ein Terminal ein.',
    javascript: 'Für Node ab Version 20: als message.mjs speichern und „node message.mjs“ ausführen.',
    python: 'Für Python 3, ohne Pakete: als message.py speichern und „python3 message.py“ ausführen.',
    arduino:
      'Für ESP32. Verbinde dich zuerst mit dem WLAN und rufe dann die Funktion auf. Damit das Zertifikat des Servers geprüft wird, gib begin() dein CA-Zertifikat mit.',
  },
  stream_ends:
    'Der Code endet, wenn der Server den Datenstrom schließt, zum Beispiel nach einem Update. Damit nichts fehlt, starte ihn dann mit „?since=“ und der id der letzten Nachricht am Ende der Adresse.',
  no_role: {
    send: 'Dieses Gerät ist in keinem Schwarm Produzent, deshalb werden seine Nachrichten abgelehnt. Es kann senden, sobald es einem als Produzent beitritt. Der Code bleibt gleich.',
    receive:
      'Dieses Gerät ist in keinem Schwarm Konsument und empfängt deshalb noch nichts. Es empfängt, sobald es einem als Konsument beitritt. Der Code bleibt gleich.',
  },
  owntracks: {
    shares:
      'Dieses Telefon ist ein Gerät: Die kostenlose App OwnTracks meldet seine Position, auch im Hintergrund. Alle, die dieses Gerät sehen, sehen sie, bis du diesen Schlüssel auf der Seite des Geräts widerrufst.',
    shares_until:
      'Dieses Telefon ist ein Gerät: Die kostenlose App OwnTracks meldet seine Position, auch im Hintergrund. Alle, die dieses Gerät sehen, sehen sie, bis dieser Schlüssel abläuft oder du ihn auf der Seite des Geräts widerrufst.',
    open: 'OwnTracks auf diesem Telefon einrichten',
    scan: 'Installiere zuerst OwnTracks. Um ein anderes Telefon einzurichten, scanne diesen Code mit seiner Kamera. Der Code enthält den Schlüssel.',
    qr: 'QR-Code, der OwnTracks einrichtet',
    waiting: 'Wartet auf die erste Meldung…',
    connected: 'Verbunden: Der Schlüssel wird verwendet',
  },
  waiting: 'Wartet auf die erste Nachricht…',
  connected: 'Verbunden: erste Nachricht {age}',
} as const;

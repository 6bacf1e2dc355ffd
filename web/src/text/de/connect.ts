export const connect = {
  title: 'Schlüssel für dieses Gerät',
  action: 'Verbinden',
  none: '„Verbinden“ erstellt einen Schlüssel und zeigt den Code, der damit eine Nachricht sendet.',
  create_title: 'Gerät verbinden',
  create_text:
    'Das Gerät bekommt einen eigenen Schlüssel. Ein Programm kann damit nur Nachrichten dieses Geräts senden und empfangen sowie seine Angaben lesen und ändern.',
  ready_text:
    'Kopiere ihn jetzt, denn er wird nur einmal angezeigt. Wer ihn hat, kann als dieses Gerät handeln, bis du ihn widerrufst.',
} as const;

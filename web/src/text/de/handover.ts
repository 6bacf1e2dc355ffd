/** Texte eines Geräts, das sein Besitzer jemand anderem übergibt. */
export const handover = {
  title: '{device} übergeben',
  text: 'Wenn die Person annimmt, gehört ihr das Gerät, mit Name, Beschreibung und Position. Es verlässt alle Schwärme, die nicht dieser Person gehören. Seine Schlüssel, Einladungen und Links gelten nicht mehr, und seine Nachrichten werden gelöscht. Es ist nicht mehr in deinem Konto.',
  name: 'Benutzername',
  name_own: 'Das ist dein eigener Benutzername.',
  with_history: 'Auch Strecke und aufgezeichnete Werte übergeben',
  without_history: 'Sonst werden Strecke und Werte gelöscht, sobald die Person annimmt.',
  offer: 'Gerät anbieten',
  offered: '{user} angeboten',
  note: 'Du hast dieses Gerät {time} {user} angeboten.',
  note_failed: 'Es konnte nicht geprüft werden, ob dieses Gerät jemandem angeboten ist.',
  note_with_history: 'Du hast dieses Gerät {time} {user} angeboten, mit Strecke und aufgezeichneten Werten.',
  withdraw: 'Angebot zurückziehen',
  offers: '{owner} möchte dir das Gerät {device} übergeben',
  offers_text:
    'Wenn du das Gerät übernimmst, gehört es dir, mit Name, Beschreibung und Position, aber ohne Strecke und aufgezeichnete Werte.',
  offers_history:
    'Wenn du das Gerät übernimmst, gehört es dir, mit Name, Beschreibung, Position, Strecke und aufgezeichneten Werten.',
  offers_swarms:
    'Das Gerät bleibt nur in Schwärmen, die dir gehören, und dort ist kein Ende festgelegt. Seine Schlüssel gelten nicht mehr: Erstelle nach dem Übernehmen einen neuen.',
  accepted: (device: string) => `„${device}“ gehört jetzt dir`,
  open: 'Gerät öffnen',
} as const;

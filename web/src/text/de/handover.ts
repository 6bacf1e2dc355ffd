/** Texte eines Geräts, das sein Besitzer jemand anderem übergibt. */
export const handover = {
  title: '{device} übergeben',
  text: 'Bis die Person annimmt, ändert sich nichts: Sie sieht nur Name, Typ und Beschreibung. Wenn sie annimmt:',
  effects: {
    owner:
      'Das Gerät gehört ihr, mit Name, Typ, Beschreibung, Position und Einstellungen. Es ist nicht mehr in deinem Konto.',
    swarms: 'Es verlässt alle Schwärme, die nicht dieser Person gehören.',
    ends: 'Seine Schlüssel, Einladungen und Links gelten nicht mehr, und seine Nachrichten werden gelöscht.',
    history: 'Die Person sieht, wo das Gerät war, und seine aufgezeichneten Werte.',
    no_history: 'Seine Strecke und aufgezeichneten Werte werden gelöscht.',
  },
  name: 'Benutzername',
  name_own: 'Das ist dein eigener Benutzername.',
  with_history: 'Auch Strecke und aufgezeichnete Werte übergeben',
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
    'Das Gerät bleibt nur in Schwärmen, die dir gehören, und dort ist kein Ende festgelegt. Seine Schlüssel gelten nicht mehr: Erstelle nach dem Übernehmen einen neuen. Wer es dir übergibt, hat es dann nicht mehr.',
  offers_records: {
    track: 'Seine Strecke wird weiter aufgezeichnet. Das kannst du auf seiner Seite ändern.',
    values: 'Seine Werte werden weiter aufgezeichnet. Das kannst du auf seiner Seite ändern.',
    both: 'Strecke und Werte werden weiter aufgezeichnet. Das kannst du auf seiner Seite ändern.',
  },
  accepted: (device: string) => `„${device}“ gehört jetzt dir`,
  open: 'Gerät öffnen',
} as const;

import { deviceCount, plural } from './plural.ts';

export const starting = {
  title: 'Bring dein erstes Gerät auf die Karte',
  text: 'Vier Schritte. Etwa zwei Minuten.',
  seen: {
    title: (count: number) => `Du siehst ${deviceCount(count)} anderer Benutzer`,
    text: 'Sie sind Mitglieder deiner Schwärme. Mit diesen Schritten kommen eigene Geräte dazu.',
    wall: 'Wandansicht öffnen',
    list: 'Anzeigen',
  },
  steps: {
    label: 'Schritte',
    device: {
      title: 'Gerät hinzufügen oder importieren',
      text: 'Nur Name und Gerätetyp sind erforderlich. Die Position kannst du später ergänzen.',
      add: 'Gerät hinzufügen',
      import: 'Importieren',
    },
    swarm: {
      title: 'Schwarm beitreten oder erstellen',
      text: 'Kopiere den Einladungscode des Geräts und gib ihn an den Besitzer eines Schwarms. Oder erstelle einen eigenen Schwarm und lade andere ein.',
      text_of:
        'Kopiere den Einladungscode von {name} und gib ihn an den Besitzer eines Schwarms. Oder erstelle einen eigenen Schwarm und lade andere ein.',
      shut: 'Den Einladungscode bekommst du mit deinem ersten Gerät.',
      copy: 'Einladungscode kopieren',
      create: 'Schwarm erstellen',
    },
    connect: {
      title: 'Gerät verbinden',
      title_of: '{name} verbinden',
      text: 'Das Gerät bekommt einen eigenen Schlüssel, und du bekommst den Code, der seine erste Nachricht sendet: für curl, JavaScript, Python oder Arduino.',
    },
    receive: {
      title: 'Auf einem zweiten Gerät empfangen',
      text: 'Füge es hinzu, lass es demselben Schwarm beitreten, sodass es empfängt, und verbinde es: Sein Code empfängt, was das erste sendet.',
    },
  },
  next: {
    title: 'Nächste Schritte',
    close: 'Nächste Schritte schließen',
  },
  demo: {
    ask: 'Nur umschauen?',
    text: 'Die Demo fügt Geräte, Schwärme und Einladungen hinzu. „Demo entfernen“ löscht alles wieder.',
    text_short: '„Demo entfernen“ löscht alles wieder.',
    fill: 'Demogeräte hinzufügen',
    filling: 'Wird hinzugefügt …',
    added: 'Demo hinzugefügt',
    show: 'Geräte zeigen',
    failed: 'Die Demo konnte nicht hinzugefügt werden',
    strip: 'Demodaten',
    remove: 'Demo entfernen',
    remove_title: 'Demo entfernen?',
    remove_text: (devices: number, swarms: number) =>
      `Gelöscht werden ${plural(devices, { one: '# Demogerät', other: '# Demogeräte' })} und ${plural(swarms, { one: '# Demoschwarm', other: '# Demoschwärme' })} samt Einladungen, Demo-Benutzern und deinen Änderungen daran. Was du selbst erstellt hast, bleibt erhalten.`,
    removing: 'Wird entfernt …',
    removed: 'Demo entfernt',
    not_removed: 'Die Demo konnte nicht entfernt werden',
  },
} as const;

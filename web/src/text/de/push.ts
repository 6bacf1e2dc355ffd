import type { PushTexts } from '../en/push.ts';

export const push: PushTexts = {
  kinds: {
    'invitation.sent': { one: 'Neue Einladung', other: '# neue Einladungen' },
    'invitation.end_offered': {
      one: 'Späteres Ende für ein Gerät angeboten',
      other: 'Späteres Ende für # Geräte angeboten',
    },
    'invitation.requested': { one: 'Neue Beitrittsanfrage', other: '# neue Beitrittsanfragen' },
    'resource.silent': { one: 'Ein Gerät ist verstummt', other: '# Geräte sind verstummt' },
    'resource.back': { one: 'Ein Gerät meldet sich wieder', other: '# Geräte melden sich wieder' },
    'resource.imported': { other: 'Import abgeschlossen' },
    'member.ending': { one: 'Ein Gerät verlässt bald einen Schwarm', other: '# Geräte verlassen bald einen Schwarm' },
    'swarm.watcher_ending': {
      one: 'Die Zeit eines Beobachters ist bald um',
      other: 'Die Zeit von # Beobachtern ist bald um',
    },
    'swarm.silent': { one: 'Ein Gerät eines Schwarms ist verstummt', other: '# Geräte aus Schwärmen sind verstummt' },
    'account.signed_in_new': { other: 'Anmeldung mit einem Browser, den dieser Server nicht kennt' },
    'swarm.audience_grown': { other: 'Wer deine Geräte sieht, hat sich geändert' },
    'resource.offered': { one: 'Dir wird ein Gerät angeboten', other: 'Dir werden # Geräte angeboten' },
    'swarm.offered': { one: 'Dir wird ein Schwarm angeboten', other: 'Dir werden # Schwärme angeboten' },
    'swarm.manager_asked': {
      one: 'Anfrage, einen Schwarm zu verwalten',
      other: '# Anfragen, einen Schwarm zu verwalten',
    },
    'swarm.watcher_asked': {
      one: 'Anfrage, einen Schwarm zu beobachten',
      other: '# Anfragen, einen Schwarm zu beobachten',
    },
  },
  other: { other: 'Neues in „Aktivität“' },
  answers: {
    accept: 'Annehmen …',
    reject: 'Ablehnen',
    failed: 'Deine Antwort konnte nicht gespeichert werden. Öffne die Einladung.',
    waits: 'Keine Verbindung. „Ablehnen“ wird gesendet, sobald du Swarmdeck öffnest.',
  },
};

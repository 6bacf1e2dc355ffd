/** Texte zu dem Zeitpunkt, an dem ein Link, eine Mitgliedschaft oder die Rolle eines Beobachters endet. */
export const ends = {
  until: 'Bis',
  choices: {
    none: 'Kein Ende',
    hour: '1 Stunde',
    evening: 'Heute Abend, 22:00',
    day: '24 Stunden',
    week: '7 Tage',
    date: 'Ein Datum',
  },
  last_day: 'Letzter Tag',
  wrong: 'Wähle ein Ende, das mindestens 1 Stunde und höchstens 366 Tage entfernt ist.',
  wrong_latest:
    'Wähle ein Ende, das mindestens 1 Stunde entfernt ist. Es darf nicht nach dem spätesten möglichen Ende liegen.',
  hints: {
    invite:
      'Jedes Gerät verlässt den Schwarm dann von selbst. Sein Besitzer kann ein früheres Ende wählen, mindestens 1 Stunde nach dem Annehmen.',
    join: 'Deine Geräte verlassen den Schwarm dann von selbst. Du kannst das Ende später ändern.',
    ask: 'Wird die Anfrage angenommen, bleiben deine Geräte bis dahin im Schwarm. Du kannst das Ende später ändern.',
    watch: 'Ab dann sieht der Beobachter den Schwarm nicht mehr. Du kannst das Ende später ändern.',
    agree: 'Ab dann siehst du den Schwarm nicht mehr. Nur der Besitzer des Schwarms kann ein späteres Ende wählen.',
  },
  change: 'Ende ändern …',
  shorten: 'Früher beenden …',
  change_of: (name: string) => `Ende ändern: ${name}`,
  save: 'Speichern',
  until_date: 'bis {date}',
  now: 'Jetziges Ende: {date}.',
  now_none: 'Zurzeit gibt es kein Ende.',
  member: 'Wann endet die Mitgliedschaft von {name}?',
  member_own: 'Das Gerät verlässt {swarm} dann von selbst.',
  member_latest: 'Das späteste Ende, das der Besitzer von {swarm} erlaubt, ist {date}.',
  member_other:
    'Das Gerät verlässt {swarm} dann von selbst. Du kannst ein früheres Ende wählen. Nur {owner} kann ein späteres wählen.',
  watcher: 'Bis wann beobachtet {name}?',
  watcher_owner: 'Ab dann sieht {name} den Schwarm nicht mehr.',
  watching: 'Bis wann beobachtest du?',
  stop_later: 'Ende wählen …',
  agree_title: '{swarm} beobachten bis …',
  agree_until: 'Bis …',
  offered: 'Wenn du zustimmst, siehst du den Schwarm bis {date}.',
} as const;

import type { KeyPlace } from '../../ui/key-table.ts';

interface HelpRow {
  text: string;
  /** `g d`, `j`: more than one where they do the same, or the opposite. */
  keys: string[];
}

export interface HelpSection<Id extends string = string> {
  id: Id;
  rows: HelpRow[];
  /** It is about what is in sight. */
  here: boolean;
}

type Words = Record<KeyPlace, Record<string, string>>;

/** Which places make one heading. What is said under an earlier heading of the same is not said again. */
const sections = {
  everywhere: ['everywhere', 'waiting'],
  go: ['everywhere'],
  devices: ['devices', 'selected_device'],
  inbox: ['inbox', 'received'],
  swarm: ['own_swarm', 'members', 'selected_member'],
  board: ['board'],
  swarms: ['swarms'],
  device: ['device'],
  wall: ['wall'],
} as const satisfies Record<string, readonly KeyPlace[]>;

export type SectionId = keyof typeof sections;

const isGo = (keys: string) => keys.startsWith('g ');

/** Every key with what it does, screen by screen; those of the screen in sight are marked. */
export function keySections({ words, here }: { words: Words; here: readonly KeyPlace[] }): HelpSection<SectionId>[] {
  return Object.entries(sections).map(([id, places]) => {
    const rows = new Map<string, HelpRow>();
    for (const place of places) {
      for (const [keys, text] of Object.entries(words[place])) {
        if (place === 'everywhere' && isGo(keys) !== (id === 'go')) continue;
        if (place !== 'everywhere' && words.everywhere[keys] === text) continue;
        rows.set(text, { text, keys: [...(rows.get(text)?.keys ?? []), keys] });
      }
    }
    const isHere = places.some(
      (place: KeyPlace) => place !== 'everywhere' && place !== 'waiting' && here.includes(place),
    );
    return { id: id as SectionId, rows: [...rows.values()], here: isHere };
  });
}

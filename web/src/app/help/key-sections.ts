import { t } from '../../text/text.ts';
import type { Texts } from '../../text/translation.ts';
import type { KeyScope, KeyTable } from '../../ui/keys.ts';

interface HelpRow {
  text: string;
  /** `g d`, `j`. More than one key if they share a text. */
  keys: string[];
}

export interface HelpSection {
  id: keyof typeof sections;
  rows: HelpRow[];
  /** The section belongs to the visible page. */
  isActive: boolean;
}

type KeyTexts = { [Scope in KeyScope]: Record<KeyTable[Scope], string> };

/** The description of each key. The type check finds missing and unused ones. */
export function keyTexts(): KeyTexts {
  const texts: KeyTexts = t.help.keys;
  return texts satisfies Texts['help']['keys'];
}

/** The scopes of each section. A description that an earlier section has for the same key is left out. */
const sections = {
  everywhere: ['everywhere', 'undo'],
  go: ['everywhere'],
  devices: ['devices', 'selected_device'],
  inbox: ['inbox', 'received'],
  swarm: ['own_swarm', 'members', 'selected_member'],
  board: ['board'],
  swarms: ['swarms'],
  device: ['device'],
  wall: ['wall'],
} as const satisfies Record<string, readonly KeyScope[]>;

const isGo = (keys: string) => keys.startsWith('g ');

/** All keys with their descriptions, by section. The sections of the scopes in `here` are marked. */
export function keySections({ activeScopes }: { activeScopes: readonly KeyScope[] }): HelpSection[] {
  const texts: Record<KeyScope, Record<string, string>> = keyTexts();
  return Object.entries(sections).map(([id, scopes]) => {
    const rows = new Map<string, HelpRow>();
    for (const scope of scopes) {
      for (const [keys, text] of Object.entries(texts[scope])) {
        if (scope === 'everywhere' && isGo(keys) !== (id === 'go')) continue;
        if (scope !== 'everywhere' && texts.everywhere[keys] === text) continue;
        rows.set(text, { text, keys: [...(rows.get(text)?.keys ?? []), keys] });
      }
    }
    const isActive = scopes.some(
      (scope: KeyScope) => scope !== 'everywhere' && scope !== 'undo' && activeScopes.includes(scope),
    );
    return { id: id as HelpSection['id'], rows: [...rows.values()], isActive };
  });
}

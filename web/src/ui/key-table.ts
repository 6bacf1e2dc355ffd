/**
 * All keyboard shortcuts, by the page or part where they work. Pages bind all keys of a part or none (`useKeys`). The
 * help (text/en/help.ts) and the palette describe them. The compiler checks all three against this list.
 *
 * `g d` is one key after the other, `mod k` is with Ctrl, or with Cmd on a Mac.
 */
export interface KeyTable {
  everywhere: 'mod k' | '?' | 'c' | 'i' | 'g d' | 'g s' | 'g i' | 'g a';
  waiting: 'z';
  devices: '/' | 'c' | 'j' | 'k' | 'x' | 'm' | 'l' | 'f' | 'Escape';
  selected_device: 'Enter' | 'e';
  device: 'e';
  swarms: '/' | 'j' | 'k';
  members: '/' | 'j' | 'k' | 'x' | 'm' | 'l' | 'f' | 'Escape';
  selected_member: 'Enter';
  own_swarm: 'i';
  board: 'j' | 'k' | 'x' | 'Escape';
  inbox: '/' | 'j' | 'k' | 'Enter' | 'x' | 'm' | 'l' | 'Escape';
  received: 'a' | 'r';
  wall: 'j' | 'k' | 'f' | 'o' | 'v' | 'm' | 'u' | 'Escape';
}

export type KeyPlace = keyof KeyTable;
export type KeyAction = (event: KeyboardEvent) => void;
/** What each key of a place does. */
export type KeysOf<Place extends KeyPlace> = Record<KeyTable[Place], KeyAction>;

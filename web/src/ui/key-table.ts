/**
 * Every key of the app, by the place where it works: the one list of them. Pages bind all keys of a place or none
 * (`useKeys`), the help says what each does (text/en/help.ts), the palette draws them beside its verbs; the compiler
 * holds all three against this list, so that no key is promised that does nothing, and none works unsaid.
 *
 * `g d` is one key after the other, `mod k` with Ctrl, or with Cmd on a Mac.
 */
export interface KeyTable {
  everywhere: 'mod k' | '?' | 'c' | 'i' | 'g d' | 'g s' | 'g i' | 'g a';
  waiting: 'z';
  devices: '/' | 'c' | 'j' | 'k' | 'm' | 'l' | 'f' | 'Escape';
  selected_device: 'Enter' | 'e';
  device: 'e';
  swarms: '/' | 'j' | 'k';
  members: '/' | 'j' | 'k' | 'm' | 'l' | 'f' | 'Escape';
  selected_member: 'Enter';
  own_swarm: 'i';
  board: 'j' | 'k' | 'x' | 'Escape';
  inbox: '/' | 'j' | 'k' | 'Enter' | 'x' | 'm' | 'l' | 'Escape';
  received: 'a' | 'r';
  wall: 'j' | 'k' | 'f' | 'o' | 'v' | 'm' | 'u' | 'Escape';
}

export type KeyPlace = keyof KeyTable;
export type KeyAct = (event: KeyboardEvent) => void;
/** What each key of a place does. */
export type KeysOf<Place extends KeyPlace> = Record<KeyTable[Place], KeyAct>;

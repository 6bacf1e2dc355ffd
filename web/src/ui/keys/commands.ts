import type { IconName } from '../symbols/icon.tsx';

/** What is known of a command before the part that does it has loaded. */
export interface CommandFacts {
  /** `g d` is one key after the other, `mod k` is with Ctrl, or with Cmd on a Mac. The help lists the keys. */
  keys?: string;
  /** The palette lists commands with an icon. The others step, select or close, and nobody types their names. */
  icon?: IconName;
  /** It moves the focus, which touch screens do not need. */
  isForKeyboard?: true;
  isDangerous?: boolean | undefined;
}

/** The rows of a list with a map of the same. */
const listBesideMap = {
  search: { keys: '/', icon: 'search' },
  next: { keys: 'j' },
  previous: { keys: 'k' },
  select: { keys: 'x' },
  focus_map: { keys: 'm', icon: 'device', isForKeyboard: true },
  focus_list: { keys: 'l', icon: 'list', isForKeyboard: true },
  fit: { keys: 'f', icon: 'fit' },
  clear: { keys: 'Escape' },
} as const satisfies Record<string, CommandFacts>;

/**
 * All commands with a key, and all that a page offers in a menu or in the palette, by the part of the app where they work.
 * The key handling, menus, buttons, the palette and the help read them here. Their texts are in text/en/commands.ts. What
 * they do, and when they are possible, is where `useCommands` names the part. This file loads with the first view, so it has
 * neither.
 */
export const commands = {
  everywhere: {
    go_devices: { keys: 'g d', icon: 'device' },
    go_swarms: { keys: 'g s', icon: 'swarm' },
    go_invitations: { keys: 'g i', icon: 'inbox' },
    go_account: { keys: 'g a', icon: 'user' },
    jump: { keys: 'mod k' },
    save: { keys: 'mod s' },
    add_device: { keys: 'c', icon: 'plus' },
    invite: { keys: 'i', icon: 'send' },
    help: { keys: '?', icon: 'info' },
  },
  /** Those that work everywhere and have no key: they load after the first view. */
  app: {
    import_devices: { icon: 'upload' },
    export_devices: { icon: 'download' },
    wall: { icon: 'system' },
    copy_link: { icon: 'copy' },
    share: { icon: 'send' },
  },
  undo: { undo_last: { keys: 'z', icon: 'undo' } },
  /** The list of devices. */
  devices: { ...listBesideMap, add: { keys: 'c' } },
  /** Its menu. */
  device_list: {
    begin_selection: { icon: 'check' },
    select_all: { keys: 'mod a', icon: 'list' },
    select_in_view: { icon: 'fit' },
    reload: { icon: 'undo' },
  },
  selected_device: {
    open: { keys: 'Enter', icon: 'forward' },
    edit: { keys: 'e', icon: 'edit' },
  },
  /** One device: the menu of its card and of its page. */
  device: {
    copy_position: { icon: 'copy' },
    copy_id: { icon: 'copy' },
    place: { icon: 'device' },
    copy_link: { icon: 'copy' },
    open_in_maps: { icon: 'globe' },
    share: { icon: 'send' },
    hand_over: { icon: 'user' },
    delete: { icon: 'trash', isDangerous: true },
  },
  device_page: { edit_name: { keys: 'e', icon: 'edit' } },
  /** The selected devices of the list. */
  device_selection: {
    add_to_swarm: { icon: 'swarm' },
    leave_swarm: { icon: 'close' },
    set_type: { icon: 'chip' },
    set_description: { icon: 'edit' },
    set_expected: { icon: 'clock' },
    copy_codes: { icon: 'copy' },
    print_codes: { icon: 'qr' },
    create_keys: { icon: 'lock' },
    export: { icon: 'download' },
    delete: { icon: 'trash', isDangerous: true },
  },
  /** The list of swarms. */
  swarms: {
    search: { keys: '/', icon: 'search' },
    next: { keys: 'j' },
    previous: { keys: 'k' },
  },
  members: { ...listBesideMap, select_all: { keys: 'mod a' } },
  selected_member: { open: { keys: 'Enter', icon: 'forward' } },
  member_selection: {
    change_role: { icon: 'edit' },
    offer_end: { icon: 'clock' },
    export: { icon: 'download' },
    remove: { icon: 'trash', isDangerous: true },
  },
  own_swarm: {
    invite: { keys: 'i', icon: 'send' },
    delete: { icon: 'trash', isDangerous: true },
  },
  /** The invitations of a swarm. */
  board: {
    next: { keys: 'j' },
    previous: { keys: 'k' },
    select: { keys: 'x' },
    select_all: { keys: 'mod a' },
    clear: { keys: 'Escape' },
  },
  invitation_selection: {
    invite_again: { icon: 'send' },
    withdraw: { icon: 'trash', isDangerous: true },
  },
  inbox: {
    search: { keys: '/', icon: 'search' },
    next: { keys: 'j' },
    previous: { keys: 'k' },
    focus_invitation: { keys: 'Enter', icon: 'forward' },
    select: { keys: 'x' },
    select_all: { keys: 'mod a' },
    focus_map: { keys: 'm', icon: 'device', isForKeyboard: true },
    focus_list: { keys: 'l', icon: 'list', isForKeyboard: true },
    clear: { keys: 'Escape' },
  },
  /** A received invitation, or the selected ones. */
  received: {
    accept: { keys: 'a', icon: 'check' },
    reject: { keys: 'r', icon: 'close' },
  },
  wall: {
    next: { keys: 'j' },
    previous: { keys: 'k' },
    list: { icon: 'list' },
    fit: { keys: 'f', icon: 'fit' },
    follow: { keys: 'o', icon: 'follow' },
    colour: { keys: 'v', icon: 'clock' },
    focus_map: { keys: 'm', icon: 'device', isForKeyboard: true },
    full_screen: { keys: 'u', icon: 'expand' },
    clear: { keys: 'Escape' },
  },
} as const satisfies Record<string, Record<string, CommandFacts>>;

/** The part of the app where a command works. */
export type CommandScope = keyof typeof commands;
/** Where the commands are on selected rows: what they do is in `bulk/commands.tsx`. */
export type SelectionScope = Extract<CommandScope, `${string}_selection`>;
export type CommandId<Scope extends CommandScope> = keyof (typeof commands)[Scope] & string;

/** `event`: the key, also if the command was chosen in another way. */
type Run = (event: KeyboardEvent) => void;

/** What each command of a part does now. One that is not possible has no function. */
export type RunsOf<Scope extends CommandScope> = Record<CommandId<Scope>, Run | false | null | undefined>;

/** A command that is possible now. */
export interface Command extends CommandFacts {
  scope: CommandScope;
  id: string;
  run: Run;
}

/** The commands of a part that are possible now: those that `runs` has a function for. */
export function possibleCommands(
  scope: CommandScope,
  runs: Readonly<Record<string, Run | false | null | undefined>>,
): Command[] {
  return Object.entries<CommandFacts>(commands[scope]).flatMap(([id, facts]) => {
    const run = runs[id];
    return run ? [{ ...facts, scope, id, run }] : [];
  });
}

/** The key of a command. */
export function keysOf<Scope extends CommandScope>(scope: Scope, id: CommandId<Scope>): string {
  return (commands[scope][id] as CommandFacts).keys ?? '';
}

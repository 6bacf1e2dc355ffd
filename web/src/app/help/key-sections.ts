import { t } from '../../text/text.ts';
import { commandText } from '../../ui/keys/command-text.ts';
import { commands, keysOf, type CommandId, type CommandScope } from '../../ui/keys/commands.ts';
import { destinations } from '../destinations.ts';

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

/** The scopes of each section. A description that an earlier section has for the same key is left out. */
const sections = {
  everywhere: ['everywhere', 'undo'],
  go: ['everywhere'],
  devices: ['devices', 'device_list', 'selected_device'],
  inbox: ['inbox', 'received'],
  swarm: ['own_swarm', 'members', 'selected_member'],
  board: ['board'],
  swarms: ['swarms'],
  device: ['device_page', 'device'],
  wall: ['wall'],
} as const satisfies Record<string, readonly CommandScope[]>;

/** Every key with the name of its command, by section. The sections of the scopes in `activeScopes` are marked. */
export function keySections({ activeScopes }: { activeScopes: readonly CommandScope[] }): HelpSection[] {
  const anywhere = new Map(keysIn('everywhere').map(({ keys, text }) => [keys, text]));
  return Object.entries(sections).map(([id, scopes]) => {
    const rows = new Map<string, HelpRow>();
    for (const scope of scopes) {
      for (const { keys, text } of id === 'go' ? keysToGo() : keysIn(scope)) {
        if (scope === 'everywhere' && keys.startsWith('g ') !== (id === 'go')) continue;
        if (scope !== 'everywhere' && anywhere.get(keys) === text) continue;
        rows.set(text, { text, keys: [...(rows.get(text)?.keys ?? []), keys] });
      }
    }
    const isActive = scopes.some(
      (scope: CommandScope) => scope !== 'everywhere' && scope !== 'undo' && activeScopes.includes(scope),
    );
    return { id: id as HelpSection['id'], rows: [...rows.values()], isActive };
  });
}

/** Only the names of the destinations: the heading of their section says the rest. */
const keysToGo = () =>
  destinations.map(({ id, command }) => ({ keys: keysOf('everywhere', command), text: t.shell.destinations[id] }));

function keysIn<Scope extends CommandScope>(scope: Scope): { keys: string; text: string }[] {
  return (Object.keys(commands[scope]) as CommandId<Scope>[])
    .map((id) => ({ keys: keysOf(scope, id), text: commandText({ scope, id }) }))
    .filter(({ keys }) => keys !== '');
}

import { t } from '../../text/text.ts';
import { commandText } from '../../ui/command-text.ts';
import type { Command, CommandScope } from '../../ui/commands.ts';
import { useCommandLayers, useKeyboard } from '../../ui/keys-provider.tsx';
import type { Keys } from '../../ui/keys.ts';
import type { ListedCommand } from './commands.ts';

/** A command of the table (ui/commands.ts) as the palette lists it, or nothing if the palette does not list it. */
export function listedCommand(keyboard: Keys, command: Command): ListedCommand[] {
  const { scope, id, icon, keys } = command;
  if (!icon) return [];
  const text = commandText(command);
  const label = scope.endsWith('_selection') ? t.palette.of_selection(text) : text;
  return [{ id: `${scope} ${id}`, icon, label, keys, run: () => keyboard.runCommand(command) }];
}

/** Whether its commands work on every page. */
export const isAppWide = (scope: CommandScope) => scope === 'everywhere' || scope === 'app' || scope === 'undo';

/** The commands of the visible page that are possible now. */
export function usePageCommands({ touch }: { touch: boolean }): ListedCommand[] {
  const keyboard = useKeyboard();
  return useCommandLayers()
    .filter(({ scope }) => !isAppWide(scope))
    .flatMap(({ commands }) => commands)
    .filter(({ isForKeyboard }) => !(touch && isForKeyboard))
    .flatMap((command) => listedCommand(keyboard, command));
}

import { t } from '../../text/text.ts';
import { commandText } from '../../ui/keys/command-text.ts';
import type { Command, CommandScope } from '../../ui/keys/commands.ts';
import { useCommandLayers } from '../../ui/keys/keys-provider.tsx';
import type { ListedCommand } from './commands.ts';

/** A command of the table (ui/keys/commands.ts) as the palette lists it, or nothing if the palette does not list it. */
export function listedCommand(command: Command): ListedCommand[] {
  const { scope, id, icon, keys } = command;
  if (!icon) return [];
  const text = commandText(command);
  const label = scope.endsWith('_selection') ? t.palette.of_selection(text) : text;
  return [{ id: `${scope} ${id}`, icon, label, keys, run: () => command.run(new KeyboardEvent('keydown')) }];
}

/** Whether its commands work on every page. */
export const isAppWide = (scope: CommandScope) => scope === 'everywhere' || scope === 'app' || scope === 'undo';

/** The commands of the visible page that are possible now. */
export function usePageCommands({ touch }: { touch: boolean }): ListedCommand[] {
  return useCommandLayers()
    .filter(({ scope }) => !isAppWide(scope))
    .flatMap(({ commands }) => commands)
    .filter(({ isForKeyboard }) => !(touch && isForKeyboard))
    .flatMap(listedCommand);
}

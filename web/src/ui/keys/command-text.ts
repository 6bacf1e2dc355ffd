import { t } from '../../text/text.ts';
import type { Texts } from '../../text/translation.ts';
import type { Command, CommandId, CommandScope } from './commands.ts';

/** Each command has a text, and each text a command. */
type CommandTexts = { readonly [Scope in CommandScope]: Readonly<Record<CommandId<Scope>, string>> };

/** The names of all commands, in menus, in the palette and in the help. */
function commandTexts(): CommandTexts | undefined {
  const texts: CommandTexts | undefined = t.commands;
  return texts satisfies Texts['commands'] | undefined;
}

/** The name of a command. Until they have loaded, only those of the menu of the list have one. */
export function commandText({ scope, id }: Pick<Command, 'scope' | 'id'>): string {
  const texts: Readonly<Record<string, string>> = commandTexts()?.[scope] ?? t.devices.menu;
  return texts[id]!;
}

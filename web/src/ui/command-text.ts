import { t } from '../text/text.ts';
import type { Texts } from '../text/translation.ts';
import type { Command, CommandId, CommandScope } from './commands.ts';

/** Each command has a text, and each text a command. */
type CommandTexts = { readonly [Scope in CommandScope]: Readonly<Record<CommandId<Scope>, string>> };

/** The names of all commands, in menus, in the palette and in the help. */
function commandTexts(): CommandTexts {
  const texts: CommandTexts = t.commands;
  return texts satisfies Texts['commands'];
}

/** The name of a command. All texts are loaded when it is shown. */
export function commandText({ scope, id }: Pick<Command, 'scope' | 'id'>): string {
  const texts: Readonly<Record<string, string>> = commandTexts()[scope];
  return texts[id]!;
}

import type { ButtonLook } from '../buttons/button.tsx';
import { commandText } from '../keys/command-text.ts';
import type { Command } from '../keys/commands.ts';
import { KeyHint, useKeysEnabled } from '../keys/keys-provider.tsx';
import { keyNames } from '../keys/keys.ts';
import { MoreMenu } from './menu.tsx';

interface CommandMenuProps extends Pick<ButtonLook, 'look'> {
  label: string;
  commands: readonly Command[];
}

/** The menu of the commands that are possible now. */
export function CommandMenu({ commands, ...button }: CommandMenuProps) {
  return <MoreMenu items={useMenuItems(commands)} {...button} />;
}

/** The lines of commands in a menu. */
export function useMenuItems(commands: readonly Command[]) {
  const keysEnabled = useKeysEnabled();
  return commands.map((command) => ({
    id: command.id,
    label: commandText(command),
    icon: command.icon,
    danger: command.isDangerous,
    end: keysEnabled && command.keys && <KeyHint keys={keyNames(command.keys).join(' ')} />,
    onSelect: () => command.run(new KeyboardEvent('keydown')),
  }));
}

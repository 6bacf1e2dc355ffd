import type { ButtonLook } from './button.tsx';
import { commandText } from './command-text.ts';
import type { Command } from './commands.ts';
import { KeyHint, useKeysEnabled } from './keys-provider.tsx';
import { keyNames } from './keys.ts';
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

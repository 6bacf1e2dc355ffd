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
  const keysEnabled = useKeysEnabled();
  const items = commands.map((command) => ({
    id: command.id,
    label: commandText(command),
    icon: command.icon,
    danger: command.isDangerous,
    end: keysEnabled && command.keys && <KeyHint keys={keyNames(command.keys).join(' ')} />,
    onSelect: () => command.run(new KeyboardEvent('keydown')),
  }));
  return <MoreMenu items={items} {...button} />;
}

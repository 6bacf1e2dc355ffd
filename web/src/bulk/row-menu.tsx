import { useState } from 'react';
import { MoreMenu } from '../ui/menu.tsx';
import type { CommandLine, RowCommand } from './commands.tsx';

interface RowMenuProps<Item> {
  commands: readonly RowCommand<Item>[];
  item: Item;
  label: string;
  tabIndex: 0 | -1;
}

/** The menu of the commands on one row. */
export function RowMenu<Item>({ commands, item, ...button }: RowMenuProps<Item>) {
  const [asking, setAsking] = useState<CommandLine | null>(null);
  const items = commands.flatMap(({ id, icon, isDangerous, lines }) =>
    (lines?.(item) ?? []).map((line) => ({
      id: `${id} ${line.label}`,
      label: line.label,
      icon,
      danger: isDangerous,
      onSelect: () => (line.Confirm ? setAsking(line) : line.run()),
    })),
  );
  return (
    <>
      <MoreMenu look="quiet" items={items} {...button} />
      {asking?.Confirm && <asking.Confirm onConfirm={asking.run} onClose={() => setAsking(null)} />}
    </>
  );
}

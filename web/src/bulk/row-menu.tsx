import { useState } from 'react';
import { MoreMenu } from '../ui/dialogs/menu.tsx';
import type { CommandLine, RowCommand } from './commands.tsx';

interface RowMenuProps<Item, Context> {
  commands: readonly RowCommand<Item, Context>[];
  item: Item;
  context: Context;
  label: string;
  tabIndex: 0 | -1;
}

/** The menu of the commands on one row. */
export function RowMenu<Item, Context>({ commands, item, context, ...button }: RowMenuProps<Item, Context>) {
  const [asking, setAsking] = useState<CommandLine | null>(null);
  const items = commands.flatMap(({ id, icon, isDangerous, lines }) =>
    (lines?.(item, context) ?? []).map((line) => ({
      id: `${id} ${line.label}`,
      label: line.label,
      icon,
      danger: isDangerous,
      onSelect: () => (line.ask ? setAsking(line) : line.run()),
    })),
  );
  return (
    <>
      <MoreMenu look="quiet" items={items} {...button} />
      {asking?.ask?.({ onConfirm: asking.run, onClose: () => setAsking(null) })}
    </>
  );
}

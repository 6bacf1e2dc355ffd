import { useState } from 'react';
import type { ValueFilter } from '../../data/filter-params.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Chip } from '../../ui/symbols/chip.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';

const ValueDialog = lazyPart(async () => (await import('./value-dialog.tsx')).ValueDialog);

interface ValueChipProps {
  audience: string;
  chosen: ValueFilter;
  /** The map is coloured by it. Undefined: it is not offered. */
  isColoured?: boolean;
  onChoose(chosen: ValueFilter, isColoured: boolean): void;
}

/** Which value of the devices is shown, and the filter by it. */
export function ValueChip({ audience, chosen, isColoured, onChoose }: ValueChipProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Chip
        icon={<Icon name="chart" size={16} />}
        label={<Bdi>{labelOf(chosen)}</Bdi>}
        pressed={chosen.values !== undefined}
        clearable={false}
        onToggle={() => setOpen(true)}
      />
      {isOpen && (
        <ValueDialog
          audience={audience}
          chosen={chosen}
          isColoured={isColoured}
          onChoose={onChoose}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function labelOf({ values, value_from, value_to }: ValueFilter): string {
  const [key] = values ?? [];
  if (key === undefined) return t.devices.show_value;
  const from = value_from !== undefined && `≥ ${formatNumber(value_from)}`;
  const to = value_to !== undefined && `≤ ${formatNumber(value_to)}`;
  return [key, from, to].filter(Boolean).join(' ');
}

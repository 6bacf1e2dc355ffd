import type { ReactNode } from 'react';
import { formatNumber, t } from '../../../text/text.ts';
import { SelectionLine } from '../../../ui/selection-line.tsx';
import './device-panel.css';
import type { HomeSelection } from './use-device-selection.ts';

/** Replaces the toolbar of the list, in the same space. */
export function DeviceSelectionBar({ selection, children }: { selection: HomeSelection; children?: ReactNode }) {
  const { count, total = 0 } = selection;
  const text = t.devices.selection;
  return (
    <section className="device-selection" aria-label={text.region}>
      <SelectionLine
        tick={text.all(formatNumber(total))}
        count={text.count(formatNumber(count))}
        whole={selection.isWhole}
        isEmpty={count === 0}
        all={text.all_short(formatNumber(total))}
        busy={selection.isReading}
        clear={text.clear}
        isCompact
        onAll={selection.selectAll}
        onClear={selection.clear}
      >
        {children}
      </SelectionLine>
    </section>
  );
}

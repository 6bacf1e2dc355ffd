import { useState } from 'react';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { matchingNames } from '../../../data/matching-names.ts';
import { SwarmCombobox } from '../../../shared/swarm-combobox.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';

type FacetSwarm = DevicePage['facets']['swarms'][number];

/** The swarms whose name contains the text, those with most devices first. */
export function findSwarms(swarms: readonly FacetSwarm[], q: string): FacetSwarm[] {
  return matchingNames(swarms, q).toSorted((one, other) => other.count - one.count);
}

interface SwarmFilterProps {
  swarms: readonly FacetSwarm[];
  chosen: string | undefined;
  onChoose(id: string): void;
  onClose(): void;
}

/** Chooses the swarm of the filter among many. */
export function SwarmFilter({ swarms, chosen, onChoose, onClose }: SwarmFilterProps) {
  const [q, setQ] = useState('');
  return (
    <Dialog size="small" title={t.devices.swarm} onClose={onClose}>
      <SwarmCombobox
        isInline
        quiet
        label={t.devices.swarm}
        chosen={swarms.find(({ id }) => id === chosen)}
        swarms={findSwarms(swarms, q).map(({ id, name, count }) => ({ id, name, end: formatNumber(count) }))}
        q={q}
        isSettled
        onSearch={setQ}
        onChoose={(id) => {
          onChoose(id);
          onClose();
        }}
      />
    </Dialog>
  );
}

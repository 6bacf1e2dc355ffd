import { useState } from 'react';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { SwarmSearch } from '../../../shared/swarm-search.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Bdi } from '../../../ui/rich.tsx';

type FacetSwarm = DevicePage['facets']['swarms'][number];

/** So many are listed. A search finds the others. */
const mostListed = 100;

/** The swarms whose name contains the text, those with most devices first. */
export function findSwarms(swarms: readonly FacetSwarm[], q: string): FacetSwarm[] {
  const wanted = q.trim().toLocaleLowerCase();
  return swarms
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .toSorted((one, other) => other.count - one.count);
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
  const found = findSwarms(swarms, q);
  const listed = found.slice(0, mostListed);
  return (
    <Dialog size="small" title={t.devices.swarm} onClose={onClose}>
      <SwarmSearch
        q={q}
        found={{ total: found.length, offered: listed.length }}
        placeholder={t.devices.swarm}
        onChange={setQ}
      />
      <ul>
        {listed.map(({ id, name, count }) => (
          <li key={id}>
            <button
              type="button"
              className="line hoverable menu-item"
              aria-pressed={id === chosen}
              onClick={() => {
                onChoose(id);
                onClose();
              }}
            >
              <span className="menu-check">{id === chosen && <Icon name="check" />}</span>
              <span className="grow one-line">
                <Bdi>{name}</Bdi>
              </span>
              <span className="chip-count muted numbers">{formatNumber(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

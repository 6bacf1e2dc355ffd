import type { DevicePage } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';

/** Filters by one of the swarms of the devices. Renders nothing if there are none. */
export function SwarmChip({
  swarm,
  swarms,
  onChange,
}: {
  swarm: string | undefined;
  swarms: DevicePage['facets']['swarms'];
  onChange(swarm: string | undefined): void;
}) {
  const chosen = swarm === 'none' ? undefined : swarm;
  if (swarms.length === 0 && chosen === undefined) return null;
  const known = swarms.find(({ id }) => id === chosen);
  return (
    <Menu
      label={t.devices.swarm}
      items={[
        {
          id: 'any',
          label: t.devices.any_swarm,
          checked: swarm === undefined,
          onSelect: () => onChange(undefined),
        },
        ...swarms.map(({ id, name, count }) => ({
          id,
          label: <Bdi>{name}</Bdi>,
          checked: id === chosen,
          end: <span className="chip-count numbers">{formatNumber(count)}</span>,
          onSelect: () => onChange(id),
        })),
      ]}
      renderTrigger={(button) => (
        <button type="button" className={`chip${chosen ? ' chip-on' : ''}`} {...button}>
          {known ? <Bdi>{known.name}</Bdi> : t.devices.swarm}
          {known && <span className="chip-count numbers">{formatNumber(known.count)}</span>}
          <Icon name="down" size={14} />
        </button>
      )}
    />
  );
}

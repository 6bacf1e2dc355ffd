import type { DevicePage, MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/limits';
import { formatNumber, t } from '../../../text/text.ts';
import { Chip } from '../../../ui/chip.tsx';
import { TypeGlyph } from '../../../ui/type-badge.tsx';
import { toggle, toggleType, withFilter } from '../device-filters.ts';
import type { Filters } from '../device-filters.ts';
import { SwarmChip } from './swarm-chip.tsx';
import './device-panel.css';

/** The filters, each with the number of devices that it would show. A filter with a zero stays in its place. */
export function FilterChips({
  filters,
  facets,
  spot,
  onChange,
  onLeaveSpot,
}: {
  filters: Filters;
  facets: DevicePage['facets'] | undefined;
  spot: boolean;
  onChange(change: (now: Filters) => Filters): void;
  onLeaveSpot(): void;
}) {
  const count = (value: number | undefined) => (value === undefined ? null : formatNumber(value));
  const chosen = (type: MachineType) => filters.machine_type?.includes(type) ?? false;
  return (
    <fieldset className="filter-chips" aria-label={t.devices.filters}>
      {spot && <Chip label={t.devices.one_spot} pressed onToggle={onLeaveSpot} />}
      {machineTypes.map((type) => (
        <Chip
          key={type}
          icon={<TypeGlyph type={type} size={16} />}
          label={t.shell.machine_types[type]}
          count={count(facets?.machine_type[type])}
          pressed={chosen(type)}
          onToggle={() => onChange((now) => toggleType(now, type))}
        />
      ))}
      <SwarmChip
        swarm={filters.swarm}
        swarms={facets?.swarms ?? []}
        onChange={(swarm) => onChange((now) => withFilter(now, 'swarm', swarm))}
      />
      <Chip
        label={t.devices.no_swarm}
        count={count(facets?.no_swarm)}
        pressed={filters.swarm === 'none'}
        onToggle={() => onChange((now) => toggle(now, 'swarm', 'none'))}
      />
      <Chip
        label={t.devices.unplaced}
        count={count(facets?.unplaced)}
        pressed={filters.placed === 'no'}
        onToggle={() => onChange((now) => toggle(now, 'placed', 'no'))}
      />
      {filters.placed === 'yes' && (
        <Chip
          label={t.devices.with_position}
          pressed
          onToggle={() => onChange((now) => toggle(now, 'placed', 'yes'))}
        />
      )}
    </fieldset>
  );
}

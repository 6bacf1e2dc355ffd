import { useEffect, useRef, useState } from 'react';
import type { DevicePage, MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/first-rules';
import { toggleChosen } from '../../../data/filter-params.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Chip } from '../../../ui/symbols/chip.tsx';
import { PresenceChips } from '../../../ui/symbols/presence-chips.tsx';
import { TypeGlyph } from '../../../ui/symbols/type-badge.tsx';
import { toggle, withFilter, type Filters } from '../device-filters.ts';
import './device-panel.css';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { HomeValueChip } from './home-value-chip.tsx';

const SwarmFilter = lazyPart(async () => (await import('./swarm-filter.tsx')).SwarmFilter);

/** A menu has so many swarms. More of them are in a dialog with a search. */
const mostInMenu = 20;

interface FilterChipsProps {
  filters: Filters;
  facets: DevicePage['facets'] | undefined;
  stack: boolean;
  onChange(change: (now: Filters) => Filters): void;
  /** Adds the devices of others, or leaves them out. */
  onAudience(): void;
  onLeaveStack(): void;
}

/** The filters, each with the number of devices that it would show. A filter with a zero stays in its place. */
export function FilterChips({ filters, facets, stack, onChange, onAudience, onLeaveStack }: FilterChipsProps) {
  const count = (value: number | undefined) => (value === undefined ? null : formatNumber(value));
  const line = useRef<HTMLDivElement>(null);
  const isComplete = facets !== undefined;
  // Where they scroll, the active filter of a link may be out of sight.
  useEffect(() => {
    const active = line.current?.querySelector('[aria-pressed="true"], .chip-on');
    if (!isComplete || !active) return;
    const [chip, shown] = [active.getBoundingClientRect(), line.current!.getBoundingClientRect()];
    line.current!.scrollBy({
      left: Math.max(0, chip.right - shown.right) + Math.min(0, chip.left - shown.left),
      top: Math.max(0, chip.bottom - shown.bottom) + Math.min(0, chip.top - shown.top),
    });
  }, [isComplete]);
  const chosen = (type: MachineType) => filters.machine_type?.includes(type) ?? false;
  return (
    <fieldset aria-label={t.devices.filters}>
      {/* Chromium scrolls a fieldset back to its start when a menu inside it opens. */}
      <div ref={line} className="line wraps filter-chips">
        <Chip
          icon={<Icon name="eye" size={16} />}
          label={t.devices.visible}
          pressed={filters.audience === 'visible'}
          onToggle={onAudience}
        />
        {filters.action !== undefined && (
          <Chip
            label={t.devices.of_action}
            pressed
            onToggle={() => onChange((now) => withFilter(now, 'action', undefined))}
          />
        )}
        {stack && <Chip label={t.devices.one_place} pressed onToggle={onLeaveStack} />}
        {machineTypes.map((type) => (
          <Chip
            key={type}
            icon={<TypeGlyph type={type} size={16} />}
            label={t.shell.machine_types[type]}
            count={count(facets?.machine_type[type])}
            pressed={chosen(type)}
            onToggle={() => onChange((now) => toggleChosen(now, 'machine_type', type))}
          />
        ))}
        <PresenceChips
          counts={facets?.presence}
          chosen={filters.presence}
          onToggle={(state) => onChange((now) => toggleChosen(now, 'presence', state))}
        />
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
        {(facets?.refused || filters.refused) && (
          <Chip
            icon={<Icon name="warning" size={16} />}
            label={t.devices.refused}
            count={count(facets?.refused ?? 0)}
            pressed={filters.refused === 'yes'}
            onToggle={() => onChange((now) => toggle(now, 'refused', 'yes'))}
          />
        )}
        <HomeValueChip />
        {filters.placed === 'yes' && (
          <Chip
            label={t.devices.with_position}
            pressed
            onToggle={() => onChange((now) => toggle(now, 'placed', 'yes'))}
          />
        )}
      </div>
    </fieldset>
  );
}

interface SwarmChipProps {
  swarm: string | undefined;
  swarms: DevicePage['facets']['swarms'];
  onChange(swarm: string | undefined): void;
}

/** Filters by one of the swarms of the devices. Renders nothing if there are none. */
function SwarmChip({ swarm, swarms, onChange }: SwarmChipProps) {
  const [isOpen, setOpen] = useState(false);
  const chosen = swarm === 'none' ? undefined : swarm;
  if (swarms.length === 0 && chosen === undefined) return null;
  const known = swarms.find(({ id }) => id === chosen);
  const isLong = swarms.length > mostInMenu;
  const inMenu = isLong ? swarms.toSorted((one, other) => other.count - one.count).slice(0, mostInMenu) : swarms;
  const listed = known && !inMenu.includes(known) ? [known, ...inMenu] : inMenu;
  const menu = (
    <Menu
      label={t.devices.swarm}
      items={[
        {
          id: 'any',
          label: t.devices.any_swarm,
          checked: swarm === undefined,
          onSelect: () => onChange(undefined),
        },
        ...listed.map(({ id, name, count }) => ({
          id,
          label: <Bdi>{name}</Bdi>,
          checked: id === chosen,
          end: <span className="chip-count muted numbers">{formatNumber(count)}</span>,
          onSelect: () => onChange(id),
        })),
        ...(isLong
          ? [{ id: 'find', label: t.devices.find_swarm, icon: 'search' as const, onSelect: () => setOpen(true) }]
          : []),
      ]}
      renderTrigger={(button) => (
        <button type="button" className={`chip${chosen ? ' chip-on' : ''}`} {...button}>
          {known ? <Bdi>{known.name}</Bdi> : t.devices.swarm}
          {known && <span className="chip-count muted numbers">{formatNumber(known.count)}</span>}
          <Icon name="down" size={14} />
        </button>
      )}
    />
  );
  return (
    <>
      {menu}
      {isOpen && <SwarmFilter swarms={swarms} chosen={chosen} onChoose={onChange} onClose={() => setOpen(false)} />}
    </>
  );
}

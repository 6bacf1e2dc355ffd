import type { MemberPage } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/field-rules';
import { toggleChosen } from '../../../data/filter-params.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Chip } from '../../../ui/symbols/chip.tsx';
import { PresenceChips } from '../../../ui/symbols/presence-chips.tsx';
import { RoleSign } from '../../../ui/symbols/role-chip.tsx';
import { TypeGlyph } from '../../../ui/symbols/type-badge.tsx';
import { ValueChip } from '../../../shared/values/value-chip.tsx';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useMemberFilters, useShownValue } from './use-member-filters.ts';
import './member-chips.css';
import { withoutBbox, type MemberFilters } from './member-filters.ts';

interface MemberChipsProps {
  filters: MemberFilters;
  facets: MemberPage['facets'] | undefined;
  onChange(change: (now: MemberFilters) => MemberFilters): void;
}

/** The filters, each with the number of members that it would show. A filter with a zero stays in its place. */
export function MemberChips({ filters, facets, onChange }: MemberChipsProps) {
  const count = (value: number | undefined) => (value === undefined ? null : formatNumber(value));
  return (
    <fieldset className="member-chips" aria-label={t.members.filters}>
      {filters.bbox && <Chip label={t.devices.one_place} pressed onToggle={() => onChange(withoutBbox)} />}
      {memberRoles.map((role) => (
        <Chip
          key={role}
          icon={<RoleSign role={role} />}
          label={t.shell.roles[role]}
          count={count(facets?.resource_type[role])}
          pressed={filters.resource_type?.includes(role) ?? false}
          clearable={false}
          onToggle={() => onChange((now) => toggleChosen(now, 'resource_type', role))}
        />
      ))}
      {machineTypes.map((type) => (
        <Chip
          key={type}
          icon={<TypeGlyph type={type} size={16} />}
          label={t.shell.machine_types[type]}
          count={count(facets?.machine_type[type])}
          pressed={filters.machine_type?.includes(type) ?? false}
          clearable={false}
          onToggle={() => onChange((now) => toggleChosen(now, 'machine_type', type))}
        />
      ))}
      <PresenceChips
        counts={facets?.presence}
        chosen={filters.presence}
        clearable={false}
        onToggle={(state) => onChange((now) => toggleChosen(now, 'presence', state))}
      />
      <MemberValueChip />
    </fieldset>
  );
}

/** Which value the table and the map show. */
function MemberValueChip() {
  const { swarm } = useShownSwarm();
  const { filters } = useMemberFilters();
  const { byValue, showValue } = useShownValue();
  return <ValueChip audience={`swarm:${swarm.id}`} chosen={filters} isColoured={byValue} onChoose={showValue} />;
}

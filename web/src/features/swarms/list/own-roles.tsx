import type { MemberRole } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { rolesOf } from './type-proportions.ts';

/**
 * The roles of the user's devices in a swarm. With more than one role, shapes with counts, so that they fit on one
 * line.
 */
export function OwnRoles({ own }: { own: Record<MemberRole, number> }) {
  const roles = rolesOf(own);
  return (
    <span className="own-roles">
      {roles.map(({ role, count }) => {
        const counted = formatNumber(count);
        const label = t.swarms.list.own_devices[role](count);
        if (roles.length === 1) return <RoleChip key={role} role={role} label={label} />;
        return (
          <span key={role} title={label}>
            <span aria-hidden="true">
              <RoleChip role={role} label={counted} />
            </span>
            <span className="visually-hidden">{label} </span>
          </span>
        );
      })}
    </span>
  );
}

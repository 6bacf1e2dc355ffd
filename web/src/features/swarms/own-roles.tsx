import type { MemberRole } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import { RoleChip } from '../../ui/role-chip.tsx';
import { rolesOf } from './shares.ts';
import { words } from './swarm-words.ts';

/** In which roles one's own devices are there. */
export function OwnRoles({ own }: { own: Record<MemberRole, number> }) {
  return rolesOf(own).map(({ role, count }) => (
    <RoleChip key={role} role={role} label={words.list.own_devices[role](count, formatNumber(count))} />
  ));
}

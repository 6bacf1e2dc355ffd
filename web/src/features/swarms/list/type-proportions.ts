import type { MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/limits';

/** The minimum share of the bar for a type, so that a single device is visible. */
const leastShare = 0.03;

/** The machine types with devices, in the order PC, Bug, Smartphone, with their shares of the bar. */
export function sharesOf(counts: Record<MachineType, number>): { type: MachineType; share: number }[] {
  const present = machineTypes.filter((type) => counts[type] > 0);
  const total = present.reduce((sum, type) => sum + counts[type], 0);
  const raised = present.map((type) => Math.max(leastShare, counts[type] / total));
  const whole = raised.reduce((sum, share) => sum + share, 0);
  return present.map((type, index) => ({ type, share: (raised[index] ?? 0) / whole }));
}

/** The roles of the user's devices. */
export function rolesOf(counts: Record<MemberRole, number>): { role: MemberRole; count: number }[] {
  return memberRoles.map((role) => ({ role, count: counts[role] })).filter(({ count }) => count > 0);
}

import type { MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/limits';

/** No type that is there gets less than this share of the bar, or one in a hundred would not be seen. */
const leastShare = 0.03;

/** The machine types that are there, always in the order PC, Bug, Smartphone, each with its part of the whole bar. */
export function sharesOf(counts: Record<MachineType, number>): { type: MachineType; share: number }[] {
  const present = machineTypes.filter((type) => counts[type] > 0);
  const total = present.reduce((sum, type) => sum + counts[type], 0);
  const raised = present.map((type) => Math.max(leastShare, counts[type] / total));
  const whole = raised.reduce((sum, share) => sum + share, 0);
  return present.map((type, index) => ({ type, share: (raised[index] ?? 0) / whole }));
}

/** The roles in which one's devices are there. */
export function rolesOf(counts: Record<MemberRole, number>): { role: MemberRole; count: number }[] {
  return memberRoles.map((role) => ({ role, count: counts[role] })).filter(({ count }) => count > 0);
}

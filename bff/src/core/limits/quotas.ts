import { Problem } from '../problem.ts';
import { quotaTable } from './limit-tables.ts';

export type Quota = keyof typeof quotaTable;
export type Quotas = Record<Quota, number>;

/** `factor`: Infinity for no limits. */
export function quotasOf(factor: number): Quotas {
  const scaled = Object.entries(quotaTable).map(([quota, { most }]) => [quota, Math.max(1, Math.floor(most * factor))]);
  return Object.fromEntries(scaled) as Quotas;
}

/** The quotas whose used amount is known. To find the device that is in most swarms, all devices would be counted. */
export type CountedQuota = Exclude<Quota, 'swarms_of_device'>;

/** What is used of each quota and allowed; null for no limit. */
export function quotaUsage({ quotas, used }: { quotas: Quotas; used: Record<CountedQuota, number> }) {
  const names = Object.keys(used) as CountedQuota[];
  const entries = names.map((quota) => {
    const allowed = Number.isFinite(quotas[quota]) ? quotas[quota] : null;
    return [quota, { used: used[quota], allowed }] as const;
  });
  return Object.fromEntries(entries) as Record<CountedQuota, { used: number; allowed: number | null }>;
}

export const noQuotas = quotasOf(Number.POSITIVE_INFINITY);

/** The error for a request that would exceed this quota. */
export function quotaExceeded(quota: Quota, quotas: Quotas, headers: Record<string, string> = {}): Problem {
  const [code, detail] = quotaTable[quota].problem;
  return new Problem(code, { detail: detail.replace('{allowed}', quotas[quota].toLocaleString('en')), headers });
}

import { type ProblemCode } from '../contract.ts';
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

/** `{allowed}` is replaced by the number. */
const problems: Record<Quota, [ProblemCode, detail: string]> = {
  resources: ['resource.too_many', 'An account can have up to {allowed} resources. Delete some first.'],
  tracks: ['track.too_many', 'An account can keep the tracks of up to {allowed} resources. Switch off some first.'],
  swarms: ['swarm.too_many', 'An account can have up to {allowed} swarms. Delete some first.'],
  members: ['membership.too_many', 'A swarm can have up to {allowed} members.'],
  swarms_of_device: [
    'membership.too_many_swarms',
    'A resource can be in up to {allowed} swarms. Remove it from some first.',
  ],
  invitations: ['invitation.too_many', 'An account can have up to {allowed} open invitations. Withdraw some first.'],
  keys: ['key.too_many', 'An account can have up to {allowed} API keys. Revoke some first.'],
  device_keys: ['key.too_many', 'The devices of an account can have up to {allowed} API keys. Revoke some first.'],
  saved_views: ['saved_view.too_many', 'An account can have up to {allowed} saved views. Delete some first.'],
  streams: ['events.too_many', 'An account can have up to {allowed} open event streams. Close some first.'],
};

/** The error for a request that would exceed this quota. */
export function quotaExceeded(quota: Quota, quotas: Quotas, headers: Record<string, string> = {}): Problem {
  const [code, detail] = problems[quota];
  return new Problem(code, { detail: detail.replace('{allowed}', quotas[quota].toLocaleString('en')), headers });
}

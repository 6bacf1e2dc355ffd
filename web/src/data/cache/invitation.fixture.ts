import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';

export const minuteOf = (at: number) => new Date(Date.UTC(2026, 10, 20, 12, at)).toISOString();

/** An open invitation, sent at that minute. */
export function itemOf(id: string, at: number, change: Partial<InvitationItem> = {}): InvitationItem {
  const swarm_id = change.swarm?.id ?? 'levels';
  return {
    id,
    from: 'gauge-office',
    sent_by: 'gauge-office',
    to: 'harbour-ops',
    swarm_id,
    resource_id: `device-${id}`,
    resource_type: 'consumer',
    sent_at: minuteOf(at),
    status: 'new',
    changed_at: minuteOf(at),
    swarm: {
      id: swarm_id,
      user_id: 'gauge-office',
      name: 'River levels',
      description: '',
      public: false,
      member_count: 14,
    },
    device: { name: `Sensor ${id}`, machine_type: 'bug' },
    ...change,
  };
}

export function pageOf(items: InvitationItem[], next: string | null = null): InvitationPage {
  const open = items.filter(({ status }) => status === 'new').length;
  return {
    items,
    next,
    total: items.length,
    counts: { new: open, accepted: items.length - open, rejected: 0, stale: 0 },
    stale_before: minuteOf(0),
    at: minuteOf(59),
  };
}

/** Keeps the newest deliveries of each user and browser: those that have ended, and those that wait, by who causes them. */
import { pushLimits, webhookLimits } from '../../../limits/part-limits.ts';
import { deliverySource } from '../tables.ts';
import type { Trigger } from './trigger.ts';

const toWebhook = 'session_id IS NULL AND new.session_id IS NULL';
const toBrowser = 'session_id = new.session_id';
const waitingOf = (source: 'server' | 'others') => `next_at IS NOT NULL AND ${deliverySource} = '${source}'`;
const limits = [
  { condition: `${toWebhook} AND next_at IS NULL`, most: webhookLimits.kept },
  ...(['server', 'others'] as const).flatMap((source) => [
    { condition: `${toWebhook} AND ${waitingOf(source)}`, most: webhookLimits.waiting },
    { condition: `${toBrowser} AND ${waitingOf(source)}`, most: pushLimits.waiting },
  ]),
];

/** Deletes all but the newest deliveries for which this is true. */
function trim({ condition, most }: { condition: string; most: number }): string {
  const where = `user_id = new.user_id AND ${condition}`;
  return `DELETE FROM webhook_deliveries WHERE ${where} AND seq <= (SELECT seq FROM webhook_deliveries
            WHERE ${where} ORDER BY seq DESC LIMIT 1 OFFSET ${most});`;
}

export const webhookDeliveryTriggers: readonly Trigger[] = [
  { name: 'deliveries_limit', on: 'AFTER INSERT ON webhook_deliveries', body: limits.map(trim).join(' ') },
];

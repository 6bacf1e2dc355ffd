/** Counts the stored idempotency keys of each user. */
import type { Trigger } from './trigger.ts';
import { countDown, countUp } from './usage.ts';

export const idempotencyTriggers: readonly Trigger[] = [
  { name: 'idempotency_more', on: 'AFTER INSERT ON idempotency', body: countUp('idempotency', 'new') },
  { name: 'idempotency_less', on: 'AFTER DELETE ON idempotency', body: countDown('idempotency', 'old') },
];

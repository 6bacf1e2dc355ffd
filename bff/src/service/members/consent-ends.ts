/** The rules of the ends of memberships and of watchers. */
import { consentLimits } from '../../limits/part-limits.ts';
import type { FieldFault } from '../../problem.ts';

const dayMs = 86_400_000;

/** The earlier one of two ends. Undefined is none. */
export const earlierEnd = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

/** SQL: the same. Null is none. */
export const earlierOf = (one: string, other: string) =>
  `CASE WHEN ${one} IS NULL OR ${other} < ${one} THEN ${other} ELSE ${one} END`;
/** SQL: the later one of them. Null is none, which is later than any. */
export const laterOf = (one: string, other: string) =>
  `CASE WHEN ${one} < ${other} OR ${other} IS NULL THEN ${other} ELSE ${one} END`;

/** Whether an end that was offered or asked for is past. */
export const isOver = (end: string | undefined, at: Date): boolean => end !== undefined && end <= at.toISOString();

/** What is wrong with an end that was sent. `most`: it must not be later. */
export function endFaults(
  { ends_at }: { ends_at?: string | null | undefined },
  { now, most }: { now: Date; most?: string | undefined },
): FieldFault[] {
  const fault = (detail: string) => [{ pointer: '/ends_at', code: 'field.out_of_range', detail }];
  if (ends_at === undefined) return [];
  if (ends_at === null) return most === undefined ? [] : fault(`must not be after ${most}`);
  if (ends_at <= now.toISOString()) return fault('must be in the future');
  if (most !== undefined && ends_at > most) return fault(`must not be after ${most}`);
  const last = new Date(now.getTime() + consentLimits.days * dayMs).toISOString();
  return ends_at > last ? fault(`must be at most ${consentLimits.days} days from now`) : [];
}

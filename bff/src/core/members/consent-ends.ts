/** The rules of the ends of memberships and of watchers. */
import { dayMs } from '../limits/durations.ts';
import { consentLimits } from '../limits/part-limits.ts';
import type { FieldFault } from '../problem.ts';

/** The earlier one of two ends. Undefined is none. */
export const earlierEnd = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

/** SQL: the same. Null is none. */
const earlierOf = (one: string, other: string) =>
  `CASE WHEN ${one} IS NULL OR ${other} < ${one} THEN ${other} ELSE ${one} END`;
/** SQL: the later one of them. Null is none, which is later than any. */
const laterOf = (one: string, other: string) =>
  `CASE WHEN ${one} < ${other} OR ${other} IS NULL THEN ${other} ELSE ${one} END`;

/** SQL, in the conflict of an insert: the member as it was, and what its owner has agreed to now. */
const was = { role: 'memberships.resource_type', end: 'memberships.ends_at', latest: 'memberships.ends_at_most' };
const now = { role: 'excluded.resource_type', end: 'excluded.ends_at', latest: 'excluded.ends_at_most' };
const hadRole = `${was.role} IN (${now.role}, 'both')`;
const endOrAsBefore = `coalesce(${now.end}, ${was.end})`;

/**
 * SQL: the end of a member that joins again, to gain the other role or to get a later end, and the latest one that its owner may choose
 * from then on. A member has one end for both roles. Null is none.
 */
export const endsOfMember = {
  /** An invitation that offers no end: the member keeps its own, or gets the earlier one that its owner chooses. */
  invitation: { end: earlierOf(was.end, now.end), latest: was.latest },
  /** An invitation that offers an end, which is `latest`: what the owner chooses, until then. A role that the member has keeps a later one. */
  invitationWithEnd: {
    end: now.end,
    latest: `CASE WHEN ${hadRole} THEN ${laterOf(was.latest, now.latest)} ELSE ${now.latest} END`,
  },
  /** A request to join, whose end the owner of the swarm has read: the one that is asked for, also if it is after the latest one. */
  request: {
    end: endOrAsBefore,
    latest: `CASE WHEN ${was.latest} < ${now.end} THEN ${now.end} ELSE ${was.latest} END`,
  },
  /** A link, or an own device: what is chosen, but not after the latest one, which the owner of the swarm may have set meanwhile. */
  link: {
    end: `CASE WHEN ${was.latest} < ${now.end} THEN ${was.latest} ELSE ${endOrAsBefore} END`,
    latest: was.latest,
  },
};

/** By what a resource becomes a member. */
export type JoinedBy = keyof typeof endsOfMember;

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

/** The lines of the log: neighbouring entries of one action are one line, and a long log is cut into blocks. */
import type { Activity, ActivityPage } from '@swarmdeck/bff/contract';
import { bulkGapMs } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';

type GroupedKind = keyof (typeof t)['activity']['you_many'];

/** Entries that one line shows, newest first. `kind` is set if there are several. */
export interface ActivityGroup {
  kind: GroupedKind | null;
  entries: [Activity, ...Activity[]];
}

const isGrouped = (kind: string): kind is GroupedKind => kind in t.activity.you_many;

/** What is new to a user: what somebody else did after the entry `read`, not the own imports, which the server ends. */
export const isNewTo =
  (user_id: string, read: number | undefined) =>
  ({ id, kind, actor }: Activity): boolean =>
    actor !== user_id && kind !== 'resource.imported' && read !== undefined && id > read;

/** Groups neighbouring entries of the same action on several devices, as a bulk action writes them. */
export function groupsOf(entries: readonly Activity[]): ActivityGroup[] {
  const groups: ActivityGroup[] = [];
  for (const entry of withPairs(entries)) {
    const last = groups.at(-1);
    if (last && belongsTo(last.entries, entry) && isGrouped(entry.kind)) {
      last.entries.push(entry);
      last.kind = entry.kind;
    } else groups.push({ kind: null, entries: [entry] });
  }
  return groups;
}

/**
 * How many entries of the last line are not loaded, after the page `last`. Undefined if nobody knows: an invitation for both roles is two
 * entries.
 */
export const moreOf = ({ entries: [newest] }: ActivityGroup, last: Pick<ActivityPage, 'more'>): number | undefined =>
  roleOf(newest.detail) === 'both' ? undefined : last.more;

/** The most lines of a block. */
const blockSize = 50;

/**
 * Cuts a long log into numbered blocks, which the browser skips as a whole while they are out of sight. They are counted from the
 * entry `read`, so no line moves to another block when newer or older entries follow.
 */
export function blocksOf(groups: readonly ActivityGroup[], read = 0): Map<number, ActivityGroup[]> {
  const newer = groups.filter(({ entries: [newest] }) => newest.id > read).length;
  return Map.groupBy(groups, (_, index) => Math.floor((index - newer) / blockSize));
}

/** An invitation for both roles is two invitations: their entries are shown as one. */
function withPairs(entries: readonly Activity[]): Activity[] {
  const merged: Activity[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    if (last && isPair(last, entry)) merged[merged.length - 1] = { ...last, detail: withRole(last.detail, 'both') };
    else merged.push(entry);
  }
  return merged;
}

/** The role of an accepted invitation may have an end on a second line. */
const roleOf = (detail: string | undefined) => detail?.split('\n')[0];
const withRole = (detail: string | undefined, role: string) =>
  [role, ...(detail ?? '').split('\n').slice(1)].join('\n');

const isSingleRole = (detail: string | undefined) => ['producer', 'consumer'].includes(roleOf(detail) ?? '');

const isPair = (one: Activity, other: Activity) =>
  one.kind.startsWith('invitation.') &&
  one.kind === other.kind &&
  one.actor === other.actor &&
  one.resource !== undefined &&
  one.resource.id === other.resource?.id &&
  one.swarm?.id === other.swarm?.id &&
  one.detail !== other.detail &&
  withRole(one.detail, '') === withRole(other.detail, '') &&
  isSingleRole(one.detail) &&
  isSingleRole(other.detail) &&
  Date.parse(one.at) - Date.parse(other.at) <= bulkGapMs;

function belongsTo(entries: readonly Activity[], { kind, actor, swarm, detail, at }: Activity): boolean {
  const before = entries.at(-1)!;
  return (
    before.kind === kind &&
    before.actor === actor &&
    before.swarm?.id === swarm?.id &&
    before.detail === detail &&
    Date.parse(before.at) - Date.parse(at) <= bulkGapMs
  );
}

import type { Activity } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';

type GroupedKind = keyof (typeof t)['activity']['you_many'];

/** Entries that one line shows, newest first. `kind` is set if there are several. */
export interface ActivityGroup {
  kind: GroupedKind | null;
  entries: [Activity, ...Activity[]];
}

/** Entries of a bulk action are at most this far apart. In ms. */
const longestGap = 120_000;

const isGrouped = (kind: string): kind is GroupedKind => kind in t.activity.you_many;

/** Groups neighbouring entries of the same action on several devices, as a bulk action writes them. */
export function groupsOf(entries: readonly Activity[]): ActivityGroup[] {
  const groups: ActivityGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && belongsTo(last.entries, entry) && isGrouped(entry.kind)) {
      last.entries.push(entry);
      last.kind = entry.kind;
    } else groups.push({ kind: null, entries: [entry] });
  }
  return groups;
}

function belongsTo(entries: readonly Activity[], { kind, actor, swarm, detail, at }: Activity): boolean {
  const before = entries.at(-1)!;
  return (
    before.kind === kind &&
    before.actor === actor &&
    before.swarm?.id === swarm?.id &&
    before.detail === detail &&
    Date.parse(before.at) - Date.parse(at) <= longestGap
  );
}

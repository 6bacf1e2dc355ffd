/** What the kinds of entries of the feed mean for the events that are made of them. */
import { Counts } from '../limits/bounded-map.ts';
import type { FeedRow } from '../store/row-types.ts';

export const isPresence = ({ kind }: FeedRow) => kind === 'presence.changed';
const isUpdate = ({ kind }: FeedRow) => kind === 'resource.updated' || kind === 'resource.moved';
/** Everybody who sees the resource in one of its swarms is told. */
export const isChangedResource = (entry: FeedRow) => isUpdate(entry) || isPresence(entry);
/** What happens to a swarm's invitations, requests, links and managers: for its owner and its managers. */
export const isForManagers = ({ kind }: FeedRow) => /^(invitation|join_request|link|manager)\./.test(kind);
export const isOfSwarm = (entry: FeedRow) => entry.kind === 'swarm.created' || isForManagers(entry);
/** Whether its event has the resource's record. */
export const hasResource = (entry: FeedRow) => entry.kind === 'resource.created' || isUpdate(entry);

const internal: ReadonlySet<FeedRow['kind']> = new Set<FeedRow['kind']>([
  'viewer.changed',
  'account.ended',
  'account.enabled',
  'session.changed',
  'key.changed',
  'action.changed',
  'share_link.changed',
]);

/** The entries of which somebody may be told. */
export function visibleIn(entries: readonly FeedRow[]): FeedRow[] {
  const repeated = repeatedIn(entries);
  return entries.filter((entry) => !internal.has(entry.kind) && !repeated.has(entry));
}

/** Membership entries that the creation or deletion of their swarm or resource implies. */
function repeatedIn(entries: readonly FeedRow[]): ReadonlySet<FeedRow> {
  const ended = new Set<string | null>();
  const repeated = new Set<FeedRow>();
  /** The swarm whose first members follow. */
  let created: string | null = null;
  for (const entry of entries) {
    const { kind, swarm_id, resource_id } = entry;
    if (kind === 'swarm.destroyed') ended.add(swarm_id);
    if (kind === 'resource.destroyed') ended.add(resource_id);
    // The device was restored after its deletion, or has another owner.
    if (kind === 'resource.created') ended.delete(resource_id);
    if (kind === 'swarm.created') created = swarm_id;
    else if (swarm_id !== created || !(kind === 'membership.changed' || kind === 'viewer.changed')) created = null;
    const isMember = kind === 'membership.changed';
    if (isMember && (swarm_id === created || ended.has(swarm_id) || ended.has(resource_id))) repeated.add(entry);
  }
  return repeated;
}

/** The first entry of each owner, then the second of each, and so on. */
export function interleaved(entries: readonly FeedRow[]): FeedRow[] {
  const rounds: FeedRow[][] = [];
  const taken = new Counts();
  for (const entry of entries) (rounds[taken.change(entry.owner!, 1) - 1] ??= []).push(entry);
  return rounds.flat();
}

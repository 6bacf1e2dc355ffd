/**
 * Who looks at links that show a device, and what they are sent: the device whenever it changes, at most once a second, and the end of the
 * link. One statement reads the device and whether its link is open, so what was committed after the end of a link is never sent.
 */
import type { GuestEvent, SharedDevice } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import type { EventStream } from '../http/event-streams.ts';
import { SetsByKey } from '../limits/bounded-map.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Report } from '../problem.ts';
import type { Service } from '../service/service.ts';

export type OpenLink = NonNullable<Awaited<ReturnType<Service['shareLinks']['ofCode']>>>;
type Shared = Awaited<ReturnType<Service['shareLinks']['sharedNow']>>;
type SharedNow = Shared extends ReadonlyMap<string, infer Value> ? Value : never;

interface Viewer {
  stream: EventStream;
  /** The last line that it was sent; undefined before the first one. */
  last: string | undefined;
}

/** A link that somebody looks at. */
interface Viewed {
  link: OpenLink;
  viewers: Set<Viewer>;
}

/** A timer of more days would run at once. */
const longestTimerMs = 86_400_000;
const lineOf = (event: GuestEvent) => `data: ${JSON.stringify(event)}\n\n`;

export function createViewers({
  feed,
  links,
  trackSince,
  now,
  report,
}: {
  feed: Pick<ChangeFeed, 'subscribe'>;
  links: Pick<Service['shareLinks'], 'sharedNow'>;
  trackSince: Service['tracks']['since'];
  now: () => Date;
  report: Report;
}) {
  const viewed = new Map<string, Viewed>();
  const byDevice = new SetsByKey<Viewed>();
  /** Those whose devices have changed. They are read at most once a second. */
  const changed = new Set<Viewed>();
  /** Those that are read next. */
  const stale = new Set<Viewed>();
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;

  const isViewed = (of: Viewed) => viewed.get(of.link.id) === of;
  const hasEnded = ({ link }: Viewed) => link.expires_at <= now().toISOString();

  function forget(of: Viewed) {
    viewed.delete(of.link.id);
    byDevice.remove(of.link.resource_id, of);
    changed.delete(of);
    stale.delete(of);
    setEndTimer();
  }

  function end(of: Viewed) {
    forget(of);
    for (const { stream } of of.viewers) stream.revoke(lineOf({ type: 'ended' }));
  }

  /** For the next end of a link. The clock may step, so streams ask `endedOf` too. */
  function setEndTimer() {
    clearTimeout(ending);
    const ends = Array.from(viewed.values(), ({ link }) => Date.parse(link.expires_at));
    if (ends.length === 0) return;
    const ms = Math.min(...ends) - now().getTime();
    ending = setTimeout(endDue, Math.min(Math.max(ms, 0), longestTimerMs));
  }

  function endDue() {
    for (const each of viewed.values()) if (hasEnded(each)) end(each);
    setEndTimer();
  }

  /** Reads stale links with their devices, and sends what is new. After a failure they stay stale, and are read again within a second. */
  const readStale = shareNextRun(async () => {
    const read = [...stale];
    if (read.length === 0) return;
    stale.clear();
    const shared = await links.sharedNow(read.map(({ link }) => link.id)).catch((error: unknown) => {
      for (const each of read) if (isViewed(each)) stale.add(each);
      throw error;
    });
    for (const each of read) if (applyEnd(each, shared)) sendDevice(each, shared.get(each.link.id)!);
  });

  /** Returns false if the link is not open, or nobody looks at it any more. */
  function applyEnd(of: Viewed, shared: Shared): boolean {
    if (!isViewed(of)) return false;
    const { link, viewers } = of;
    const read = shared.get(link.id);
    // A link can only be made shorter, so of two reads the earlier end is the newer one.
    if (read && read.expires_at < link.expires_at) {
      link.expires_at = read.expires_at;
      setEndTimer();
      const line = lineOf({ type: 'shortened', expires_at: read.expires_at });
      for (const { stream, last } of viewers) if (last !== undefined) stream.send(line);
    }
    if (read && !hasEnded(of)) return true;
    end(of);
    return false;
  }

  function noteChange(device: string) {
    if (!byDevice.has(device)) return;
    for (const each of byDevice.of(device)) changed.add(each);
    const wait = sentAt + shareLinkLimits.eachMs - performance.now();
    sending ??= setTimeout(sendChanged, Math.max(0, wait));
  }

  function sendChanged() {
    sending = undefined;
    sentAt = performance.now();
    for (const each of changed) stale.add(each);
    changed.clear();
    readStale().catch(report);
  }

  const unsubscribe = feed.subscribe((entries) => {
    if (viewed.size === 0) return;
    if (!entries) for (const each of viewed.values()) stale.add(each);
    for (const { kind, record_id, resource_id, owner } of entries ?? []) {
      if (kind === 'resource.moved' || kind === 'resource.updated') noteChange(resource_id!);
      else if (kind === 'share_link.changed') {
        const link = viewed.get(record_id!);
        if (link) stale.add(link);
      } else if (kind === 'key.changed' && record_id === null) {
        // Its owner may be disabled.
        for (const each of viewed.values()) if (each.link.user_id === owner) stale.add(each);
      }
    }
    if (stale.size > 0) readStale().catch(report);
  });

  return {
    /** A guest looks at a link. `started` resolves when the stream has what there is. */
    watch(link: OpenLink, stream: EventStream) {
      const of: Viewed = viewed.get(link.id) ?? { link, viewers: new Set() };
      const viewer: Viewer = { stream, last: undefined };
      of.viewers.add(viewer);
      viewed.set(link.id, of);
      byDevice.add(link.resource_id, of);
      setEndTimer();
      async function start() {
        const { id, resource_id, user_id, created_at, shows_track } = link;
        const track =
          shows_track === 1
            ? await trackSince({ id: resource_id, from: created_at, requester: { user: user_id } })
            : undefined;
        const shared = await links.sharedNow([id]);
        if (!of.viewers.has(viewer) || !applyEnd(of, shared)) return;
        const { device } = shared.get(id)!;
        viewer.last = lineOf({ type: 'changed', device });
        stream.send(lineOf({ ...openedOf(of.link, device), now: now().toISOString(), ...(track && { track }) }));
        // It may have moved since it was read.
        noteChange(resource_id);
      }
      return {
        started: start(),
        end() {
          of.viewers.delete(viewer);
          if (of.viewers.size === 0 && isViewed(of)) forget(of);
        },
      };
    },

    /** Those of these links that have ended. */
    endedOf(ids: readonly string[]): string[] {
      endDue();
      // The last read may have failed.
      readStale().catch(report);
      return ids.filter((id) => !viewed.has(id));
    },

    close() {
      unsubscribe();
      clearTimeout(sending);
      clearTimeout(ending);
    },
  };
}

/** To those who have been sent it before: others get the first line of their own read. */
function sendDevice({ viewers }: Viewed, { device }: SharedNow) {
  const line = lineOf({ type: 'changed', device });
  for (const viewer of viewers) {
    if (viewer.last === undefined || viewer.last === line) continue;
    viewer.last = line;
    viewer.stream.send(line);
  }
}

const openedOf = ({ user_id: shared_by, expires_at }: OpenLink, device: SharedDevice) =>
  ({ type: 'opened', shared_by, expires_at, device }) as const;

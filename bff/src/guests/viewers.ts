/**
 * Who looks at links that show a device, and what they are sent: the device whenever it changes, at most once a second, and the end of the
 * link. What was committed after the end of a link is never sent: an entry of the feed about a link makes it wait until it was read again.
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

interface Viewer {
  stream: EventStream;
  /** The last line that it was sent; undefined before the first one. */
  last: string | undefined;
}

/** A link that somebody looks at. */
interface Viewed {
  link: OpenLink;
  viewers: Set<Viewer>;
  /** Nothing is sent until it was read again, because it may have ended. */
  isStale: boolean;
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
  links: Pick<Service['shareLinks'], 'devices' | 'endsOf'>;
  trackSince: Service['tracks']['since'];
  now: () => Date;
  report: Report;
}) {
  const viewed = new Map<string, Viewed>();
  const byDevice = new SetsByKey<Viewed>();
  /** Devices that have changed since they were last sent. */
  const changed = new Set<string>();
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;

  const hasEnded = ({ link }: Viewed) => link.expires_at <= now().toISOString();

  function forget(of: Viewed) {
    viewed.delete(of.link.id);
    byDevice.remove(of.link.resource_id, of);
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

  /** Reads links again that may have ended. What fails is tried again in a second: until then, nothing is sent. */
  const readStale = shareNextRun(async () => {
    const stale = [...viewed.values()].filter(({ isStale }) => isStale);
    if (stale.length === 0) return;
    for (const each of stale) each.isStale = false;
    const ends = await links.endsOf(stale.map(({ link }) => link.id)).catch((error: unknown) => {
      for (const each of stale) each.isStale = true;
      throw error;
    });
    for (const each of stale) {
      const expiresAt = ends.get(each.link.id);
      if (expiresAt === undefined) end(each);
      else if (expiresAt !== each.link.expires_at) {
        each.link.expires_at = expiresAt;
        for (const { stream } of each.viewers) stream.send(lineOf({ type: 'shortened', expires_at: expiresAt }));
      }
    }
    setEndTimer();
    for (const { link } of stale) noteChange(link.resource_id);
  });

  function noteChange(device: string) {
    if (!byDevice.has(device)) return;
    changed.add(device);
    const wait = sentAt + shareLinkLimits.eachMs - performance.now();
    sending ??= setTimeout(() => void sendChanged().catch(report), Math.max(0, wait));
  }

  async function sendChanged() {
    sending = undefined;
    sentAt = performance.now();
    const ids = [...changed];
    changed.clear();
    const devices = await links.devices(ids);
    for (const [id, device] of devices) for (const each of byDevice.of(id)) sendDevice(each, device);
  }

  function sendDevice(of: Viewed, device: SharedDevice) {
    // It is sent when the link was read.
    if (of.isStale || hasEnded(of)) return;
    const line = lineOf({ type: 'changed', device });
    for (const viewer of of.viewers) {
      if (viewer.last === undefined || viewer.last === line) continue;
      viewer.last = line;
      viewer.stream.send(line);
    }
  }

  const unsubscribe = feed.subscribe((entries) => {
    if (viewed.size === 0) return;
    const stale = new Set<Viewed>();
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
    if (stale.size === 0) return;
    for (const each of stale) each.isStale = true;
    readStale().catch(report);
  });

  return {
    /** A guest looks at a link. `started` resolves when the stream has what there is. */
    watch(link: OpenLink, stream: EventStream) {
      const of: Viewed = viewed.get(link.id) ?? { link, viewers: new Set(), isStale: false };
      const viewer: Viewer = { stream, last: undefined };
      of.viewers.add(viewer);
      viewed.set(link.id, of);
      byDevice.add(link.resource_id, of);
      setEndTimer();
      async function start() {
        const { id, resource_id, user_id, created_at, shows_track } = link;
        const track =
          shows_track === 1
            ? await trackSince({ id: resource_id, from: created_at, requester: { user: `link ${id}` } })
            : undefined;
        const device = (await links.devices([resource_id])).get(resource_id);
        // The link was read before it was viewed: it may have ended since.
        of.isStale = true;
        await readStale();
        if (!device || !of.viewers.has(viewer) || viewed.get(id) !== of || of.isStale || hasEnded(of)) return;
        viewer.last = lineOf({ type: 'changed', device });
        const opened: GuestEvent = {
          type: 'opened',
          now: now().toISOString(),
          shared_by: user_id,
          expires_at: of.link.expires_at,
          device,
          ...(track && { track }),
        };
        stream.send(lineOf(opened));
        // It may have moved since it was read.
        noteChange(resource_id);
      }
      return {
        started: start(),
        end() {
          of.viewers.delete(viewer);
          if (of.viewers.size === 0 && viewed.get(link.id) === of) forget(of);
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

/**
 * Who looks at links, and what they are sent: the devices that a link shows, whenever these change, at most once a second, and the end of the
 * link. A link shows one device, or those members of a swarm whose owners allow it. One statement reads devices and whether their link is open, so
 * what was committed after the end of a link or of a consent is never sent.
 *
 * All viewers of a link share one read. Each viewer gets what is newer than its step, in bounded parts. A slow viewer skips positions, and
 * then gets the newest ones.
 */
import type { GuestEvent } from '../contract.ts';
import type { ChangeFeed, FeedSubscriber } from '../change-feed/change-feed.ts';
import type { EventStream } from '../http/event-streams.ts';
import { SetsByKey } from '../limits/bounded-map.ts';
import { dayMs } from '../limits/durations.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';
import { shareNextRun } from '../limits/share-next-run.ts';
import type { Report } from '../problem.ts';
import type { Service } from '../service/service.ts';
import { createShownDevices, type Part, type ShownDevices } from './shown-devices.ts';

export type OpenLink = NonNullable<Awaited<ReturnType<Service['shareLinks']['ofCode']>>>;
type SharedNow = NonNullable<Awaited<ReturnType<Service['shareLinks']['sharedNow']>>>;
type Track = Awaited<ReturnType<Service['tracks']['since']>>;
type FeedEntry = NonNullable<Parameters<FeedSubscriber>[0]>[number];

interface Viewer {
  stream: EventStream;
  /** The step up to which it has got everything; undefined before the first line. */
  step: number | undefined;
}

/** A link that somebody looks at. */
interface Viewed {
  link: OpenLink;
  viewers: Set<Viewer>;
  devices: ShownDevices;
  /** Devices that have moved, those first that have waited longest. They are read once a second. */
  moved: Set<string>;
  /** Devices that are read next. */
  next: Set<string>;
  /** All are read next: somebody begins to look, or entries of the feed were lost. */
  isStale: boolean;
  hasFailed: boolean;
  read: () => Promise<void>;
  sentAt: number;
  sending: NodeJS.Timeout | undefined;
}

/** A timer of more days would run at once. */
const longestTimerMs = dayMs;
const lineOf = (event: GuestEvent) => `data: ${JSON.stringify(event)}\n\n`;
const { eachMs, devicesAtOnce } = shareLinkLimits;

interface ViewersOptions {
  feed: Pick<ChangeFeed, 'subscribe'>;
  links: Pick<Service['shareLinks'], 'sharedNow'>;
  trackSince: Service['tracks']['since'];
  now: () => Date;
  report: Report;
}

interface Parts extends Omit<ViewersOptions, 'feed'> {
  index: LinkIndex;
  /** For the next end of a link or of a membership. */
  endTimer: NodeJS.Timeout | undefined;
}

export function createViewers({ feed, ...options }: ViewersOptions) {
  const index = createIndex();
  const { viewed } = index;
  const parts: Parts = { ...options, index, endTimer: undefined };
  const reads = { readNow: (of: Viewed) => readNow(parts, of), readLater: (of: Viewed) => readLater(parts, of) };

  const unsubscribe = feed.subscribe((entries) => {
    if (viewed.size === 0) return;
    if (!entries) {
      for (const of of viewed.values()) {
        of.isStale = true;
        readNow(parts, of);
      }
    }
    for (const entry of entries ?? []) index.noteEntry(entry, reads);
  });

  return {
    /** A guest looks at a link. `started` resolves when the stream has what there is. */
    watch(link: OpenLink, stream: EventStream) {
      const of = viewed.get(link.id) ?? begin(parts, link);
      const viewer: Viewer = { stream, step: undefined };
      of.viewers.add(viewer);
      setEndTimer(parts);
      return {
        started: sendFirst(parts, of, viewer),
        end() {
          of.viewers.delete(viewer);
          if (of.viewers.size === 0 && index.has(of)) forget(parts, of);
        },
      };
    },

    /** Those of these links that have ended. */
    endedOf(ids: readonly string[]): string[] {
      endDue(parts);
      for (const of of viewed.values()) if (of.hasFailed) readNow(parts, of);
      return ids.filter((id) => !viewed.has(id));
    },

    close() {
      unsubscribe();
      for (const { sending } of viewed.values()) clearTimeout(sending);
      clearTimeout(parts.endTimer);
    },
  };
}

function begin(parts: Parts, link: OpenLink): Viewed {
  const of: Viewed = {
    link,
    viewers: new Set(),
    devices: createShownDevices(),
    moved: new Set(),
    next: new Set(),
    isStale: true,
    hasFailed: false,
    read: shareNextRun(() => read(parts, of)),
    sentAt: Number.NEGATIVE_INFINITY,
    sending: undefined,
  };
  parts.index.add(of);
  return of;
}

function forget(parts: Parts, of: Viewed): void {
  clearTimeout(of.sending);
  parts.index.remove(of);
  setEndTimer(parts);
}

function end(parts: Parts, of: Viewed): void {
  forget(parts, of);
  for (const { stream } of of.viewers) stream.revoke(lineOf({ type: 'ended' }));
}

/** The clock may step, so streams ask `endedOf` too. */
function setEndTimer(parts: Parts): void {
  const { index, now } = parts;
  clearTimeout(parts.endTimer);
  const ends = [...index.viewed.values()].flatMap(({ link, devices }) => [
    link.expires_at,
    devices.nextEnd() ?? '9999',
  ]);
  if (ends.length === 0) return;
  const next = ends.reduce((first, each) => (each < first ? each : first));
  const ms = Date.parse(next) - now().getTime();
  parts.endTimer = setTimeout(() => endDue(parts), Math.min(Math.max(ms, 0), longestTimerMs));
}

function endDue(parts: Parts): void {
  const at = timeOf(parts);
  for (const of of parts.index.viewed.values()) {
    if (of.link.expires_at <= at) end(parts, of);
    else if ((of.devices.nextEnd() ?? '9999') <= at) {
      for (const id of of.devices.endedAt(at)) hide(parts, of, id);
      of.devices.computeNextEnd();
      sendTo(parts, of);
    }
  }
  setEndTimer(parts);
}

const timeOf = ({ now }: Parts): string => now().toISOString();

function hide({ index }: Parts, of: Viewed, id: string): void {
  of.devices.hide(id);
  index.removeDevice(of, id);
}

function show({ index }: Parts, of: Viewed, { id, ...device }: SharedNow['devices'][number]): void {
  // It may have moved since it was read.
  if (index.addDevice(of, id)) of.moved.add(id);
  of.devices.show(id, device);
}

/** Reads devices that have changed, or all, and sends what is new. After a failure they are read again within a second. */
async function read(parts: Parts, of: Viewed): Promise<void> {
  const { index, links } = parts;
  if (!index.has(of)) return;
  const { link, devices, isStale } = of;
  const only = isStale ? undefined : takeSome(of.next);
  of.isStale = false;
  let shared: SharedNow | undefined;
  try {
    shared = await links.sharedNow(link, only);
    of.hasFailed = false;
  } catch (error) {
    of.hasFailed = true;
    of.isStale ||= isStale;
    for (const id of only ?? []) of.next.add(id);
    throw error;
  }
  if (!index.has(of)) return;
  if (shared && changeEnd(of, shared.expires_at)) setEndTimer(parts);
  if (!shared || link.expires_at <= timeOf(parts)) return end(parts, of);
  const found = new Set(shared.devices.map(({ id }) => id));
  for (const id of only ?? devices.ids()) if (!found.has(id)) hide(parts, of, id);
  for (const device of shared.devices) show(parts, of, device);
  if (devices.computeNextEnd()) setEndTimer(parts);
  sendTo(parts, of);
  if (of.next.size > 0) readNow(parts, of);
}

/** At once, for what may end what somebody sees. */
function readNow({ report }: Parts, of: Viewed): void {
  void of.read().catch(report);
}

/** Once a second, for devices that move. */
function readLater(parts: Parts, of: Viewed): void {
  of.sending ??= setTimeout(
    () => {
      of.sending = undefined;
      of.sentAt = performance.now();
      for (const id of takeSome(of.moved)) of.next.add(id);
      if (of.next.size > 0) readNow(parts, of);
      else sendTo(parts, of);
    },
    Math.max(0, of.sentAt + eachMs - performance.now()),
  );
}

/** Skips viewers that have not read their last line, and tries again in a second. */
function sendTo(parts: Parts, of: Viewed): void {
  if (!sendNew(of) || of.moved.size > 0) readLater(parts, of);
}

/** Reads what the link shows, and sends all of it to a new viewer. */
async function sendFirst(parts: Parts, of: Viewed, viewer: Viewer): Promise<void> {
  const { index, trackSince } = parts;
  const { resource_id, user_id, created_at, shows_track } = of.link;
  const track =
    shows_track === 1 && resource_id !== null
      ? await trackSince({ id: resource_id, from: created_at, requester: { user: user_id } })
      : undefined;
  of.isStale = true;
  await of.read();
  await sendAll({ of, viewer, track, now: timeOf(parts), isOpen: () => index.has(of) && of.viewers.has(viewer) });
}

type LinkIndex = ReturnType<typeof createIndex>;

/** Finds the links that somebody looks at, by what they show. */
function createIndex() {
  const viewed = new Map<string, Viewed>();
  const byDevice = new SetsByKey<Viewed>();
  const bySwarm = new SetsByKey<Viewed>();
  return {
    viewed,
    has: (of: Viewed) => viewed.get(of.link.id) === of,
    add(of: Viewed) {
      const { id, swarm_id, resource_id } = of.link;
      viewed.set(id, of);
      if (swarm_id !== null) bySwarm.add(swarm_id, of);
      if (resource_id !== null) byDevice.add(resource_id, of);
    },
    remove(of: Viewed) {
      const { id, swarm_id, resource_id } = of.link;
      viewed.delete(id);
      if (swarm_id !== null) bySwarm.remove(swarm_id, of);
      if (resource_id !== null) byDevice.remove(resource_id, of);
      for (const device of of.devices.ids()) byDevice.remove(device, of);
    },
    /** Returns whether it is new. */
    addDevice(of: Viewed, id: string): boolean {
      if (byDevice.get(id)?.has(of)) return false;
      byDevice.add(id, of);
      return true;
    },
    removeDevice(of: Viewed, id: string) {
      if (id !== of.link.resource_id) byDevice.remove(id, of);
    },
    noteEntry(
      { kind, record_id, resource_id, swarm_id, owner }: FeedEntry,
      { readNow, readLater }: Record<'readNow' | 'readLater', (of: Viewed) => void>,
    ) {
      if (kind === 'resource.moved' || kind === 'resource.updated') {
        for (const of of byDevice.of(resource_id!)) {
          of.moved.add(resource_id!);
          readLater(of);
        }
      } else if (kind === 'membership.changed') {
        for (const of of bySwarm.of(swarm_id!)) {
          of.next.add(resource_id!);
          readNow(of);
        }
      } else if (kind === 'share_link.changed') {
        const of = viewed.get(record_id!);
        if (of) readNow(of);
      } else if (kind === 'key.changed' && record_id === null) {
        // Its owner may be disabled.
        for (const of of viewed.values()) if (of.link.user_id === owner) readNow(of);
      }
    },
  };
}

/** Returns whether that is another end than was known. */
function changeEnd({ link, viewers }: Viewed, expires_at: string): boolean {
  if (expires_at === link.expires_at) return false;
  link.expires_at = expires_at;
  const line = lineOf({ type: 'end_changed', expires_at });
  for (const { stream, step } of viewers) if (step !== undefined) stream.send(line);
  return true;
}

/** Takes those out of the set that were added first. */
function takeSome(ids: Set<string>): string[] {
  const some = [...ids].slice(0, devicesAtOnce);
  for (const id of some) ids.delete(id);
  return some;
}

/** Sends each viewer that reads what it has not got. Returns false if some have not got everything. */
function sendNew({ devices, viewers }: Viewed): boolean {
  const lines = new Map<number, { line: string; step: number }>();
  for (const viewer of viewers) {
    const { step, stream } = viewer;
    if (step === undefined || step === devices.step() || stream.isSlow()) continue;
    const next = lines.get(step) ?? changedLine(devices.partAfter(step));
    lines.set(step, next);
    viewer.step = next.step;
    stream.send(next.line);
  }
  const isComplete = [...viewers].every(({ step }) => step === undefined || step === devices.step());
  if (isComplete) devices.forgetGone();
  return isComplete;
}

interface FirstLines {
  of: Viewed;
  viewer: Viewer;
  track: Track | undefined;
  now: string;
  isOpen: () => boolean;
}

/** Sends a new viewer what there is, in parts that it has read. */
async function sendAll({ of: { link, devices }, viewer, track, now, isOpen }: FirstLines): Promise<void> {
  if (!isOpen()) return;
  const first = devices.partAfter(0);
  viewer.step = first.step;
  viewer.stream.send(openedLine({ link, devices: first.devices, now, track }));
  while (isOpen() && viewer.step !== devices.step()) {
    await viewer.stream.flushed();
    if (!isOpen() || viewer.step === devices.step()) return;
    const { line, step } = changedLine(devices.partAfter(viewer.step));
    viewer.step = step;
    viewer.stream.send(line);
  }
}

function changedLine({ devices, gone, step }: Part) {
  const ofGone = gone.length > 0 ? `,"gone":[${gone.join(',')}]` : '';
  return { line: `data: {"type":"changed","devices":${devices}${ofGone}}\n\n`, step };
}

interface Opening {
  link: OpenLink;
  /** As JSON. */
  devices: string;
  now: string;
  track: Track | undefined;
}

function openedLine({ link, devices, now, track }: Opening): string {
  const { user_id: shared_by, expires_at, swarm_id } = link;
  const shows = swarm_id === null ? 'device' : 'swarm';
  const head = JSON.stringify({ type: 'opened', now, shared_by, expires_at, shows, ...(track && { track }) });
  return `data: ${head.slice(0, -1)},"devices":${devices}}\n\n`;
}

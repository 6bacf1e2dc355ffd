/**
 * Who looks at links, and what they are sent: the devices that a link shows, whenever these change, at most once a second, and the end of the
 * link. A link shows one device, or those members of a swarm whose owners allow it. One statement reads devices and whether their link is open, so
 * what was committed after the end of a link or of a consent is never sent.
 *
 * All viewers of a link share one read. Each viewer gets what is newer than its step, in bounded pieces. A slow viewer skips positions, and
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
interface ViewedLink {
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
  links: Pick<Service['shareLinks'], 'sharedNow' | 'noteEnd'>;
  trackSince: Service['tracks']['since'];
  now: () => Date;
  report: Report;
}

interface Deps extends Omit<ViewersOptions, 'feed'> {
  index: LinkIndex;
  /** For the next end of a link or of a membership. */
  endTimer: NodeJS.Timeout | undefined;
}

export function createViewers({ feed, ...options }: ViewersOptions) {
  const index = createIndex();
  const { viewed } = index;
  const deps: Deps = { ...options, index, endTimer: undefined };
  const reads = {
    readNow: (viewedLink: ViewedLink) => readNow(deps, viewedLink),
    readLater: (viewedLink: ViewedLink) => readLater(deps, viewedLink),
  };

  const unsubscribe = feed.subscribe((entries) => {
    if (viewed.size === 0) return;
    if (!entries) {
      for (const viewedLink of viewed.values()) {
        viewedLink.isStale = true;
        readNow(deps, viewedLink);
      }
    }
    for (const entry of entries ?? []) index.noteEntry(entry, reads);
  });

  return {
    /** A guest looks at a link. `started` resolves when the stream has what there is. */
    watch(link: OpenLink, stream: EventStream) {
      const viewedLink = viewed.get(link.id) ?? begin(deps, link);
      const viewer: Viewer = { stream, step: undefined };
      viewedLink.viewers.add(viewer);
      setEndTimer(deps);
      return {
        started: sendFirst(deps, viewedLink, viewer),
        stop() {
          viewedLink.viewers.delete(viewer);
          if (viewedLink.viewers.size === 0 && index.has(viewedLink)) forget(deps, viewedLink);
        },
      };
    },

    /** Returns the ones of these links that have ended. */
    endedOf(ids: readonly string[]): string[] {
      endDue(deps);
      for (const viewedLink of viewed.values()) if (viewedLink.hasFailed) readNow(deps, viewedLink);
      return ids.filter((id) => !viewed.has(id));
    },

    close() {
      unsubscribe();
      for (const { sending } of viewed.values()) clearTimeout(sending);
      clearTimeout(deps.endTimer);
    },
  };
}

function begin(deps: Deps, link: OpenLink): ViewedLink {
  const viewedLink: ViewedLink = {
    link,
    viewers: new Set(),
    devices: createShownDevices(),
    moved: new Set(),
    next: new Set(),
    isStale: true,
    hasFailed: false,
    read: shareNextRun(() => read(deps, viewedLink)),
    sentAt: Number.NEGATIVE_INFINITY,
    sending: undefined,
  };
  deps.index.add(viewedLink);
  return viewedLink;
}

function forget(deps: Deps, viewedLink: ViewedLink): void {
  clearTimeout(viewedLink.sending);
  deps.index.remove(viewedLink);
  setEndTimer(deps);
}

function endLink(deps: Deps, viewedLink: ViewedLink): void {
  forget(deps, viewedLink);
  deps.links.noteEnd(viewedLink.link);
  for (const { stream } of viewedLink.viewers) stream.revoke(lineOf({ type: 'ended' }));
}

/** The clock may step, so streams ask `endedOf` too. */
function setEndTimer(deps: Deps): void {
  const { index, now } = deps;
  clearTimeout(deps.endTimer);
  const ends = [...index.viewed.values()].flatMap(({ link, devices }) => [
    link.expires_at,
    devices.nextEnd() ?? '9999',
  ]);
  if (ends.length === 0) return;
  const next = ends.reduce((firstPart, each) => (each < firstPart ? each : firstPart));
  const ms = Date.parse(next) - now().getTime();
  deps.endTimer = setTimeout(() => endDue(deps), Math.min(Math.max(ms, 0), longestTimerMs));
}

function endDue(deps: Deps): void {
  const at = timeOf(deps);
  for (const viewedLink of deps.index.viewed.values()) {
    if (viewedLink.link.expires_at <= at) endLink(deps, viewedLink);
    else if ((viewedLink.devices.nextEnd() ?? '9999') <= at) {
      for (const id of viewedLink.devices.endedAt(at)) hide(deps, viewedLink, id);
      viewedLink.devices.computeNextEnd();
      sendTo(deps, viewedLink);
    }
  }
  setEndTimer(deps);
}

const timeOf = ({ now }: Deps): string => now().toISOString();

function hide({ index }: Deps, viewedLink: ViewedLink, id: string): void {
  viewedLink.devices.hide(id);
  index.removeDevice(viewedLink, id);
}

function show({ index }: Deps, viewedLink: ViewedLink, { id, ...device }: SharedNow['devices'][number]): void {
  // It may have moved since it was read.
  if (index.addDevice(viewedLink, id)) viewedLink.moved.add(id);
  viewedLink.devices.show(id, device);
}

/** Reads devices that have changed, or all, and sends what is new. After a failure they are read again within a second. */
async function read(deps: Deps, viewedLink: ViewedLink): Promise<void> {
  const { index, links } = deps;
  if (!index.has(viewedLink)) return;
  const { link, devices, isStale } = viewedLink;
  const only = isStale ? undefined : takeSome(viewedLink.next);
  viewedLink.isStale = false;
  let shared: SharedNow | undefined;
  try {
    shared = await links.sharedNow(link, only);
    viewedLink.hasFailed = false;
  } catch (error) {
    viewedLink.hasFailed = true;
    viewedLink.isStale ||= isStale;
    for (const id of only ?? []) viewedLink.next.add(id);
    throw error;
  }
  if (!index.has(viewedLink)) return;
  if (shared && changeEnd(viewedLink, shared.expires_at)) setEndTimer(deps);
  if (!shared || link.expires_at <= timeOf(deps)) return endLink(deps, viewedLink);
  const found = new Set(shared.devices.map(({ id }) => id));
  for (const id of only ?? devices.ids()) if (!found.has(id)) hide(deps, viewedLink, id);
  for (const device of shared.devices) show(deps, viewedLink, device);
  if (devices.computeNextEnd()) setEndTimer(deps);
  sendTo(deps, viewedLink);
  if (viewedLink.next.size > 0) readNow(deps, viewedLink);
}

/** At once, for what may end what somebody sees. */
function readNow({ report }: Deps, viewedLink: ViewedLink): void {
  void viewedLink.read().catch(report);
}

/** Once a second, for devices that move. */
function readLater(deps: Deps, viewedLink: ViewedLink): void {
  viewedLink.sending ??= setTimeout(
    () => {
      viewedLink.sending = undefined;
      viewedLink.sentAt = performance.now();
      for (const id of takeSome(viewedLink.moved)) viewedLink.next.add(id);
      if (viewedLink.next.size > 0) readNow(deps, viewedLink);
      else sendTo(deps, viewedLink);
    },
    Math.max(0, viewedLink.sentAt + eachMs - performance.now()),
  );
}

/** Skips viewers that have not read their last line, and tries again in a second. */
function sendTo(deps: Deps, viewedLink: ViewedLink): void {
  if (!sendNew(viewedLink) || viewedLink.moved.size > 0) readLater(deps, viewedLink);
}

/** Reads what the link shows, and sends all of it to a new viewer. */
async function sendFirst(deps: Deps, viewedLink: ViewedLink, viewer: Viewer): Promise<void> {
  const { index, trackSince } = deps;
  const { resource_id, user_id, created_at, shows_track } = viewedLink.link;
  const track =
    shows_track === 1 && resource_id !== null
      ? await trackSince({ id: resource_id, from: created_at, requester: { user: user_id } })
      : undefined;
  viewedLink.isStale = true;
  await viewedLink.read();
  await sendAll({
    viewedLink,
    viewer,
    track,
    now: timeOf(deps),
    isOpen: () => index.has(viewedLink) && viewedLink.viewers.has(viewer),
  });
}

type LinkIndex = ReturnType<typeof createIndex>;

/** Finds the links that somebody looks at, by what they show. */
function createIndex() {
  const viewed = new Map<string, ViewedLink>();
  const byDevice = new SetsByKey<ViewedLink>();
  const bySwarm = new SetsByKey<ViewedLink>();
  return {
    viewed,
    has: (viewedLink: ViewedLink) => viewed.get(viewedLink.link.id) === viewedLink,
    add(viewedLink: ViewedLink) {
      const { id, swarm_id, resource_id } = viewedLink.link;
      viewed.set(id, viewedLink);
      if (swarm_id !== null) bySwarm.add(swarm_id, viewedLink);
      if (resource_id !== null) byDevice.add(resource_id, viewedLink);
    },
    remove(viewedLink: ViewedLink) {
      const { id, swarm_id, resource_id } = viewedLink.link;
      viewed.delete(id);
      if (swarm_id !== null) bySwarm.remove(swarm_id, viewedLink);
      if (resource_id !== null) byDevice.remove(resource_id, viewedLink);
      for (const device of viewedLink.devices.ids()) byDevice.remove(device, viewedLink);
    },
    /** Returns whether it is new. */
    addDevice(viewedLink: ViewedLink, id: string): boolean {
      if (byDevice.get(id)?.has(viewedLink)) return false;
      byDevice.add(id, viewedLink);
      return true;
    },
    removeDevice(viewedLink: ViewedLink, id: string) {
      if (id !== viewedLink.link.resource_id) byDevice.remove(id, viewedLink);
    },
    noteEntry(
      { kind, record_id, resource_id, swarm_id, owner }: FeedEntry,
      { readNow, readLater }: Record<'readNow' | 'readLater', (viewedLink: ViewedLink) => void>,
    ) {
      if (kind === 'resource.moved' || kind === 'resource.updated') {
        for (const viewedLink of byDevice.of(resource_id!)) {
          viewedLink.moved.add(resource_id!);
          readLater(viewedLink);
        }
      } else if (kind === 'membership.changed') {
        for (const viewedLink of bySwarm.of(swarm_id!)) {
          viewedLink.next.add(resource_id!);
          readNow(viewedLink);
        }
      } else if (kind === 'share_link.changed') {
        const viewedLink = viewed.get(record_id!);
        if (viewedLink) readNow(viewedLink);
      } else if (kind === 'key.changed' && record_id === null) {
        // Its owner may be disabled.
        for (const viewedLink of viewed.values()) if (viewedLink.link.user_id === owner) readNow(viewedLink);
      }
    },
  };
}

/** Returns whether that is another end than was known. */
function changeEnd({ link, viewers }: ViewedLink, expires_at: string): boolean {
  if (expires_at === link.expires_at) return false;
  link.expires_at = expires_at;
  const line = lineOf({ type: 'end_changed', expires_at });
  for (const { stream, step } of viewers) if (step !== undefined) stream.send(line);
  return true;
}

/** Takes those out of the set that were added first. */
function takeSome(ids: Set<string>): string[] {
  const taken = [...ids].slice(0, devicesAtOnce);
  for (const id of taken) ids.delete(id);
  return taken;
}

/** Sends each viewer that reads what it has not got. Returns false if some have not got everything. */
function sendNew({ devices, viewers }: ViewedLink): boolean {
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
  viewedLink: ViewedLink;
  viewer: Viewer;
  track: Track | undefined;
  now: string;
  isOpen: () => boolean;
}

/** Sends a new viewer what there is, in pieces that it has read. */
async function sendAll({ viewedLink: { link, devices }, viewer, track, now, isOpen }: FirstLines): Promise<void> {
  if (!isOpen()) return;
  const firstPart = devices.partAfter(0);
  viewer.step = firstPart.step;
  viewer.stream.send(openedLine({ link, devices: firstPart.devices, now, track }));
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

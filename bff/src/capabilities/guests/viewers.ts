/**
 * Who looks at links, and what they are sent: the devices that a link shows, whenever these change, at most once a second, and the end of the
 * link. A link shows one device, or those members of a swarm whose owners allow it. One statement reads devices that have changed and whether
 * links are open, so what was committed after the end of a link or of a consent is never sent.
 *
 * All links of a device or swarm share one list of what they show. It is read once, in parts, in turns of guests of the owner, and stays for some
 * seconds after the last viewer has gone. The change feed says what is to be read again. Each viewer gets what is newer than its step, in bounded
 * pieces. A slow viewer skips positions, and then gets the newest ones.
 */
import { randomInt } from 'node:crypto';
import type { GuestEvent } from '../../contract.ts';
import type { ChangeFeed, FeedSubscriber } from '../../core/feed/change-feed.ts';
import type { EventStream } from '../../core/http/event-streams.ts';
import type { Budget } from '../../core/limits/budget.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { createFairQueue, createMainThreadQueue, type FairQueue } from '../../core/limits/fair-queue.ts';
import { guestLimits, guestsMemory } from './limits.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import type { Report } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import { createShownDevices, type ShownDevices } from './shown-devices.ts';

export type OpenLink = NonNullable<Awaited<ReturnType<Service['shareLinks']['ofCode']>>>;
type Track = Awaited<ReturnType<Service['tracks']['since']>>;
type FeedEntry = NonNullable<Parameters<FeedSubscriber>[0]>[number];

interface Viewer {
  stream: EventStream;
  /** The step up to which it has got everything; undefined before the first line. */
  step: number | undefined;
}

/** A link of a list. It stays as long as the list, and so do the keys of its devices. */
interface ViewedLink {
  link: OpenLink;
  list: ViewedList;
  viewers: Set<Viewer>;
  /** Random: its keys say nothing of the devices, and are others for each link and each process. */
  firstKey: number;
  /** The last text, which other viewers get that have the same step. */
  last: { from: number; madeAt: number; line: Uint8Array; step: number } | undefined;
}

/** What links show of one device or swarm, which somebody looks at, or has looked at some seconds ago. */
interface ViewedList {
  owner: string;
  /** The id of the device or swarm. */
  id: string;
  isOfSwarm: boolean;
  links: Map<string, ViewedLink>;
  devices: ShownDevices;
  /** Resolves when all parts have been read. */
  loaded: Promise<void>;
  /** The devices that have changed while a part is being read, which may have them as they were before. */
  changed: Set<string> | undefined;
  /** Devices that have moved, those first that have waited longest. They are read once a second. */
  moved: Set<string>;
  /** Devices that are read next. */
  next: Set<string>;
  hasFailed: boolean;
  read: () => Promise<void>;
  send: () => Promise<void>;
  sentAt: number;
  sending: NodeJS.Timeout | undefined;
  /** Runs while nobody looks at it. */
  keeping: NodeJS.Timeout | undefined;
}

/** A timer of more days would run at once. */
const longestTimerMs = dayMs;
const lineOf = (event: GuestEvent) => `data: ${JSON.stringify(event)}\n\n`;
const { eachMs, devicesAtOnce, keptMs } = guestLimits;

interface ViewersOptions {
  feed: Pick<ChangeFeed, 'subscribe' | 'catchUp'>;
  links: Pick<Service['shareLinks'], 'sharedNow' | 'sharedAfter' | 'noteEnd'>;
  trackSince: Service['tracks']['since'];
  /** The bytes that are made for guests, by the owner of the link. */
  reading: Budget;
  now: () => Date;
  report: Report;
}

interface Deps extends ViewersOptions {
  /** By the id of what they show. */
  lists: Map<string, ViewedList>;
  /** Their links, by id. */
  viewed: Map<string, ViewedLink>;
  /** For all that a list has, when it is read and when a viewer begins: owners take turns, and who has used up the budget waits. */
  full: FairQueue;
  /** For what has changed, which nobody has to wait for. */
  news: FairQueue;
  /** For the next end of a link or of a membership. */
  endTimer: NodeJS.Timeout | undefined;
}

export function createViewers(options: ViewersOptions) {
  const [lists, viewed] = [new Map<string, ViewedList>(), new Map<string, ViewedLink>()];
  const full = createFairQueue({ mostWaiting: Number.POSITIVE_INFINITY, atOnce: 2, budget: options.reading });
  const deps: Deps = { ...options, lists, viewed, full, news: createMainThreadQueue(), endTimer: undefined };

  const unsubscribe = options.feed.subscribe((entries) => {
    if (entries) for (const entry of entries) noteEntry(deps, entry);
    // Anything may have changed. Its viewers come back.
    else for (const list of lists.values()) drop(deps, list);
  });

  return {
    /** A guest looks at a link. `started` resolves when the stream has what there is. */
    watch(link: OpenLink, stream: EventStream) {
      const viewedLink = begin(deps, link);
      const viewer: Viewer = { stream, step: undefined };
      viewedLink.viewers.add(viewer);
      clearTimeout(viewedLink.list.keeping);
      setEndTimer(deps);
      return {
        started: sendFirst(deps, viewedLink, viewer),
        stop() {
          viewedLink.viewers.delete(viewer);
          keepUnviewed(deps, viewedLink.list);
        },
      };
    },

    /** Returns the ones of these links that have ended. */
    endedOf(ids: readonly string[]): string[] {
      endDue(deps);
      for (const list of lists.values()) if (list.hasFailed) readNow(deps, list);
      return ids.filter((id) => !viewed.has(id));
    },

    /** In bytes: what is held in memory. */
    bytes: () => bytesOf(lists.values()),

    close() {
      unsubscribe();
      for (const list of lists.values()) forget(deps, list);
      clearTimeout(deps.endTimer);
    },
  };
}

const hasList = ({ lists }: Deps, list: ViewedList) => lists.get(list.id) === list;
const hasLink = ({ viewed }: Deps, viewedLink: ViewedLink) => viewed.get(viewedLink.link.id) === viewedLink;
const isViewed = ({ links }: ViewedList) => [...links.values()].some(({ viewers }) => viewers.size > 0);

/** Finds or begins the list of what the link shows. */
function begin(deps: Deps, link: OpenLink): ViewedLink {
  const { lists, viewed } = deps;
  const known = viewed.get(link.id);
  if (known) return known;
  const id = link.swarm_id ?? link.resource_id!;
  // The list of a former owner of the swarm, whose links end, is not for the new one.
  const before = lists.get(id);
  if (before && before.owner !== link.user_id) drop(deps, before);
  const list = lists.get(id) ?? beginList(deps, link, id);
  const viewedLink: ViewedLink = { link, list, viewers: new Set(), firstKey: randomInt(2 ** 47), last: undefined };
  list.links.set(link.id, viewedLink);
  viewed.set(link.id, viewedLink);
  return viewedLink;
}

function beginList(deps: Deps, { user_id: owner, swarm_id }: OpenLink, id: string): ViewedList {
  const list: ViewedList = {
    owner,
    id,
    isOfSwarm: swarm_id !== null,
    links: new Map(),
    devices: createShownDevices(),
    loaded: Promise.resolve(),
    changed: undefined,
    moved: new Set(),
    next: new Set(swarm_id === null ? [id] : []),
    hasFailed: false,
    read: shareNextRun(() => read(deps, list)),
    send: shareNextRun(() => sendNew(deps, list)),
    sentAt: Number.NEGATIVE_INFINITY,
    sending: undefined,
    keeping: undefined,
  };
  deps.lists.set(id, list);
  if (list.isOfSwarm) {
    list.loaded = load(deps, list);
    // Viewers get the error. If all have gone, nobody does.
    list.loaded.catch(() => drop(deps, list));
  }
  return list;
}

function forget({ lists, viewed }: Deps, list: ViewedList): void {
  clearTimeout(list.sending);
  clearTimeout(list.keeping);
  lists.delete(list.id);
  for (const id of list.links.keys()) viewed.delete(id);
}

/** Its viewers come back, and get another list. */
function drop(deps: Deps, list: ViewedList): void {
  if (!hasList(deps, list)) return;
  forget(deps, list);
  for (const { viewers } of list.links.values()) for (const { stream } of viewers) stream.fail();
  setEndTimer(deps);
}

/** If nobody looks at it, the list stays for some seconds, for those who come next. */
function keepUnviewed(deps: Deps, list: ViewedList): void {
  clearTimeout(list.keeping);
  if (hasList(deps, list) && !isViewed(list)) list.keeping = setTimeout(() => drop(deps, list), keptMs);
}

const bytesOf = (lists: Iterable<ViewedList>) => [...lists].reduce((sum, { devices }) => sum + devices.bytes(), 0);

/** Drops lists at which nobody looks, and then the newest ones of the owner whose lists have most, until the others have room. */
function makeRoom(deps: Deps): void {
  const { lists } = deps;
  while (bytesOf(lists.values()) > guestsMemory.guest_lists.most) {
    const unviewed = [...lists.values()].find((list) => !isViewed(list));
    const [most] = [...Map.groupBy(lists.values(), ({ owner }) => owner).values()].toSorted(
      (one, other) => bytesOf(other) - bytesOf(one),
    );
    drop(deps, unviewed ?? most!.at(-1)!);
  }
}

function endLink(deps: Deps, { link, list, viewers }: ViewedLink): void {
  deps.viewed.delete(link.id);
  list.links.delete(link.id);
  deps.links.noteEnd(link);
  for (const { stream } of viewers) stream.revoke(lineOf({ type: 'ended' }));
  keepUnviewed(deps, list);
}

/** The clock may step, so streams ask `endedOf` too. */
function setEndTimer(deps: Deps): void {
  const { lists, now } = deps;
  clearTimeout(deps.endTimer);
  const ends = [...lists.values()].flatMap(({ links, devices }) => [
    ...[...links.values()].map(({ link }) => link.expires_at),
    devices.nextEnd() ?? '9999',
  ]);
  if (ends.length === 0) return;
  const next = ends.reduce((first, each) => (each < first ? each : first));
  const ms = Date.parse(next) - now().getTime();
  deps.endTimer = setTimeout(() => endDue(deps), Math.min(Math.max(ms, 0), longestTimerMs));
}

function endDue(deps: Deps): void {
  const at = timeOf(deps);
  for (const list of deps.lists.values()) {
    for (const viewedLink of list.links.values()) if (viewedLink.link.expires_at <= at) endLink(deps, viewedLink);
    if (!hasEnded(list, at)) continue;
    list.devices.hideEnded(at);
    if (!hasEnded(list, at)) sendNow(deps, list);
  }
  setEndTimer(deps);
}

/** Some memberships are over. Nothing is sent until all of them are hidden, a part in each turn. */
const hasEnded = ({ devices }: ViewedList, at: string): boolean => (devices.nextEnd() ?? '9999') <= at;

const timeOf = ({ now }: Deps): string => now().toISOString();

function noteEntry(deps: Deps, { kind, record_id, resource_id, swarm_id, owner }: FeedEntry): void {
  const { lists, viewed } = deps;
  if (kind === 'resource.moved' || kind === 'resource.updated') {
    for (const list of lists.values()) {
      list.changed?.add(resource_id!);
      if (list.isOfSwarm ? !list.devices.has(resource_id!) : list.id !== resource_id) continue;
      list.moved.add(resource_id!);
      noteChange(deps, list, readLater);
    }
  } else if (kind === 'membership.changed') {
    const list = lists.get(swarm_id!);
    if (!list) return;
    list.changed?.add(resource_id!);
    list.next.add(resource_id!);
    noteChange(deps, list, readNow);
  } else if (kind === 'share_link.changed') {
    const viewedLink = viewed.get(record_id!);
    if (viewedLink) readNow(deps, viewedLink.list);
  } else if (kind === 'key.changed' && record_id === null) {
    // Its owner may be disabled.
    for (const list of lists.values()) if (list.owner === owner) readNow(deps, list);
  }
}

/** What nobody looks at is read when somebody comes. If more has changed than one read brings, all is read then. */
function noteChange(deps: Deps, list: ViewedList, readSoon: (deps: Deps, list: ViewedList) => void): void {
  if (isViewed(list)) readSoon(deps, list);
  else if (list.moved.size + list.next.size > devicesAtOnce) drop(deps, list);
}

/** Reads all members that links of the swarm show, in parts. */
async function load(deps: Deps, list: ViewedList): Promise<void> {
  const { links, full } = deps;
  const readPart = async (after: string) => {
    list.changed = new Set();
    const part = await links.sharedAfter({ swarmId: list.id, after, most: devicesAtOnce });
    full.charge(list.owner, part.made);
    return part;
  };
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const { devices } = await full.run({ user: list.owner }, () => readPart(from));
    if (!hasList(deps, list)) return;
    for (const device of devices) {
      if (list.changed!.has(device.id)) list.next.add(device.id);
      else list.devices.show(device);
    }
    makeRoom(deps);
    after = devices.length < devicesAtOnce ? undefined : devices.at(-1)!.id;
  }
  list.changed = undefined;
  setEndTimer(deps);
}

/** Reads devices that have changed, and which links are open, and sends what is new. After a failure they are read again within a second. */
async function read(deps: Deps, list: ViewedList): Promise<void> {
  if (!hasList(deps, list)) return;
  const { devices, id } = list;
  const only = takeSome(list.next);
  const viewedLinks = [...list.links.values()];
  const shown = list.isOfSwarm ? { swarmId: id } : { resourceId: id };
  try {
    const shared = await deps.links.sharedNow({ shown, links: viewedLinks.map(({ link }) => link.id), only });
    list.hasFailed = false;
    if (!hasList(deps, list)) return;
    const ends = new Map(shared.ends.map((end) => [end.id, end.expires_at]));
    for (const viewedLink of viewedLinks) changeEnd(deps, viewedLink, ends.get(viewedLink.link.id));
    const found = new Set(shared.devices.map((device) => device.id));
    for (const each of only) if (!found.has(each)) devices.hide(each);
    for (const device of shared.devices) devices.show(device);
  } catch (error) {
    list.hasFailed = true;
    for (const each of only) list.next.add(each);
    throw error;
  }
  setEndTimer(deps);
  sendNow(deps, list);
  if (list.next.size > 0) readNow(deps, list);
}

/** At once, for what may end what somebody sees. */
function readNow({ report }: Deps, list: ViewedList): void {
  void list.read().catch(report);
}

/** Once a second, for devices that move. */
function readLater(deps: Deps, list: ViewedList): void {
  list.sending ??= setTimeout(
    () => {
      list.sending = undefined;
      list.sentAt = performance.now();
      for (const id of takeSome(list.moved)) list.next.add(id);
      if (list.next.size > 0) readNow(deps, list);
      else sendNow(deps, list);
    },
    Math.max(0, list.sentAt + eachMs - performance.now()),
  );
}

function sendNow({ report }: Deps, list: ViewedList): void {
  void list.send().catch(report);
}

/** `expires_at`: undefined if the link is not open. */
function changeEnd(deps: Deps, viewedLink: ViewedLink, expires_at: string | undefined): void {
  const { link, viewers } = viewedLink;
  if (!hasLink(deps, viewedLink)) return;
  if (expires_at === undefined || expires_at <= timeOf(deps)) return endLink(deps, viewedLink);
  if (expires_at === link.expires_at) return;
  link.expires_at = expires_at;
  const line = lineOf({ type: 'end_changed', expires_at });
  for (const { stream, step } of viewers) if (step !== undefined) stream.send(line);
}

/** Takes those out of the set that were added first. */
function takeSome(ids: Set<string>): string[] {
  const taken: string[] = [];
  for (const id of ids) {
    if (taken.length === devicesAtOnce) break;
    taken.push(id);
    ids.delete(id);
  }
  return taken;
}

/** Sends each viewer what it has not got, in a turn of its own. Skips those that have not read their last line, and tries again in a second. */
async function sendNew(deps: Deps, list: ViewedList): Promise<void> {
  const { devices, owner } = list;
  let isComplete = true;
  let least = devices.step();
  for (const viewedLink of list.links.values()) {
    for (const viewer of viewedLink.viewers) {
      const { step, stream } = viewer;
      if (step !== undefined && step !== devices.step() && !stream.isSlow())
        await deps.news.run({ user: owner }, () => {
          if (hasLink(deps, viewedLink) && !hasEnded(list, timeOf(deps))) sendPart(viewedLink, viewer);
        });
      if (viewer.step === undefined) continue;
      isComplete &&= viewer.step === devices.step();
      least = Math.min(least, viewer.step);
    }
  }
  devices.forgetChanges(least);
  if (hasList(deps, list) && (!isComplete || list.moved.size > 0)) readLater(deps, list);
}

/** Sends a viewer the next part of what it has not got. Returns its length, in bytes. */
function sendPart(viewedLink: ViewedLink, viewer: Viewer, head?: string): number {
  const { devices } = viewedLink.list;
  const from = viewer.step ?? 0;
  let { last } = viewedLink;
  if (head !== undefined || last?.from !== from || last.madeAt !== devices.step()) {
    const { devices: texts, gone, step } = devices.partAfter(from, viewedLink.firstKey);
    const ofGone = gone.length > 0 && head === undefined ? `,"gone":[${gone.join(',')}]` : '';
    const line = Buffer.from(`data: ${head ?? '{"type":"changed"'},"devices":${texts}${ofGone}}\n\n`);
    last = { from, madeAt: devices.step(), line, step };
    if (head === undefined) viewedLink.last = last;
  }
  viewer.step = last.step;
  viewer.stream.send(last.line);
  return last.line.length;
}

/** Sends a new viewer what there is, in pieces that it has read. */
async function sendFirst(deps: Deps, viewedLink: ViewedLink, viewer: Viewer): Promise<void> {
  const { full, news, feed } = deps;
  const { list } = viewedLink;
  const { devices, owner, isOfSwarm } = list;
  const isOpen = () => hasLink(deps, viewedLink) && viewedLink.viewers.has(viewer);
  const track = await trackOf(deps, viewedLink);
  await list.loaded;
  // What other processes have written is in `next` then.
  await feed.catchUp();
  for (const id of takeSome(list.moved)) list.next.add(id);
  do await list.read();
  while (isOpen() && list.next.size > 0);
  while (isOpen() && viewer.step !== devices.step()) {
    // One device is no more than what has changed.
    await (isOfSwarm ? full : news).run({ user: owner }, () => {
      if (!isOpen() || viewer.step === devices.step()) return;
      if (hasEnded(list, timeOf(deps))) return endDue(deps);
      const head = viewer.step === undefined ? headOf(viewedLink.link, { now: timeOf(deps), track }) : undefined;
      const bytes = sendPart(viewedLink, viewer, head);
      if (isOfSwarm) full.charge(owner, bytes);
    });
    await viewer.stream.flushed();
  }
}

async function trackOf({ trackSince }: Deps, { link }: ViewedLink): Promise<Track | undefined> {
  const { resource_id, user_id, created_at, shows_track } = link;
  if (shows_track !== 1 || resource_id === null) return undefined;
  return trackSince({ id: resource_id, from: created_at, requester: { user: user_id } });
}

/** The first line without its devices. */
function headOf(link: OpenLink, { now, track }: { now: string; track: Track | undefined }): string {
  const { user_id: shared_by, expires_at, swarm_id } = link;
  const shows = swarm_id === null ? 'device' : 'swarm';
  return JSON.stringify({ type: 'opened', now, shared_by, expires_at, shows, ...(track && { track }) }).slice(0, -1);
}

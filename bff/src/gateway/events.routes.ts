import { Hono } from 'hono';
import type { EventType, GatewayEvent, MessagesEvent } from '../contract.ts';
import type { EventStream, EventStreams } from '../http/event-streams.ts';
import type { Actions } from '../actions/actions.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem } from '../problem.ts';
import { actionLimits } from '../limits/field-rules.ts';
import { streamLimits } from '../limits/part-limits.ts';
import type { Service } from '../service/service.ts';
import type { GatewayEnv } from './gateway-env.ts';

/** Events of the service that are sent together. */
export type EventBatch = Parameters<Parameters<Service['events']['subscribe']>[0]['send']>[0];

export interface EventOptions {
  streams: Pick<EventStreams, 'open'>;
  /** All events that a user may see. */
  events: Pick<Service['events'], 'subscribe' | 'mark'>;
  feed: Pick<ChangeFeed, 'newestId' | 'oldestId'>;
  actions: Pick<Actions, 'subscribe'>;
  /** Called for each watched map; the returned function ends it. */
  watching: (watched: { user: string; audience: string }) => () => void;
  /** The new messages of a swarm, for a browser of a user. */
  messages: Pick<Service['messages'], 'watch' | 'ofSwarm'>;
  now: () => Date;
}

const utf8 = new TextDecoder();
const watchable = /^(own|visible|(?:swarm|messages):[0-9a-f-]{36})$/;
const ofMessages = 'messages:';

/**
 * `GET /events?watch=own,swarm:<id>&resource=<id>&last_event_id=&position=`: the service's events for a browser. Instead of all
 * moves, it gets `map.changed` for the watched maps, at most five times a second, and the moves of the devices in
 * `resource`, separated by commas. Instead of the events of the items of a large action of the user, it gets a `reset`.
 */
export function appEventRoutes(options: EventOptions): Hono<GatewayEnv> {
  const { streams, events, feed, actions, watching, messages, now } = options;
  const routes = new Hono<GatewayEnv>();
  const changed = createMapChangeNotifier({ feed, now });

  routes.get('/events', (c) => {
    const { userName: user, sessionId, setCookie } = c.env.session;
    const watch = readWatch(c.req.query('watch'));
    const audiences = watch.filter((each) => !each.startsWith(ofMessages));
    const swarms = watch
      .filter((each) => each.startsWith(ofMessages))
      .slice(0, streamLimits.swarms)
      .map((each) => each.slice(ofMessages.length));
    const resources = readResources(c.req.query('resource'));
    // EventSource cannot set a header on its first request, so the last event id of another tab is a parameter.
    const position = c.req.query('position');
    const after = c.req.header('last-event-id') ?? c.req.query('last_event_id') ?? position;
    /** The events of this second, while a large action runs. */
    let count = 0;
    const isResetDue = () => count > streamLimits.ofSecond;
    return streams.open(c, {
      user,
      proofs: [{ kind: 'session', id: sessionId }],
      // An event, because the web platform exposes the id only with events. A client that loses the connection before the
      // reset must resume before the events that were left out.
      mark: () => (isResetDue() ? '' : `${events.mark()}event: mark\ndata:\n`),
      ...(setCookie && { headers: { 'set-cookie': setCookie } }),
      opened(stream) {
        const watched = audiences.map((audience) => ({ audience, stream }));
        const ends = audiences.map((audience) => watching({ user, audience }));
        const { recheckAccess } = c.env;
        const news = swarms.map((swarmId) => watchMessages({ user, swarmId, stream, recheckAccess }));
        ends.push(...news.map((each) => each.end));
        const large = new Set<string>();
        let counting: NodeJS.Timeout | undefined;
        function endSecond() {
          const event: GatewayEvent = { id: feed.newestId(), type: 'reset', at: now().toISOString(), data: {} };
          if (isResetDue()) stream.send(lineOf(event));
          count = 0;
          counting = undefined;
        }
        const sendAction = (data: Extract<GatewayEvent, { type: 'action.changed' }>['data']) => {
          if ('kind' in data && data.state === 'running' && data.total > actionLimits.itemsShown) large.add(data.id);
          else if ('id' in data) large.delete(data.id);
          stream.send(lineOf({ id: feed.newestId(), type: 'action.changed', at: now().toISOString(), data }));
        };
        const unsubscribe = actions.subscribe(user, sendAction);
        const shown = ({ isMove, resourceId }: EventBatch['events'][number]) =>
          !isMove || (resourceId !== undefined && resources.has(resourceId));
        const { started, end } = events.subscribe({
          user,
          after,
          send(batch) {
            const some = batch.events.filter(shown);
            if (large.size > 0 || some.some(({ type }) => type === 'presence.changed')) {
              count += some.length;
              counting ??= setTimeout(endSecond, 1000);
            }
            if (!isResetDue()) {
              if (some.length === batch.events.length) stream.send(batch.bytes);
              else for (const event of some) stream.send(event.bytes);
            }
            // It comes after the events, because its id says that they have been sent.
            watched.filter(({ audience }) => changesMap({ audience, batch, user })).forEach(changed.note);
          },
        });
        // Moves and actions since then are in no event.
        if (after !== undefined && position !== feed.newestId()) {
          watched.forEach(changed.resume);
          sendAction({ resumed: true });
        }
        return {
          // The client reads its lists then.
          started: Promise.all([started, ...news.map((each) => each.started)]).then(() => {}),
          end() {
            end();
            unsubscribe();
            clearTimeout(counting);
            watched.forEach(changed.forget);
            ends.forEach((stopWatching) => stopWatching());
          },
        };
      },
    });
  });
  function watchMessages(watched: {
    user: string;
    swarmId: string;
    stream: EventStream;
    recheckAccess: () => Promise<void> | void;
  }) {
    const { user: userId, swarmId, stream, recheckAccess } = watched;
    return messages.watch({
      userId,
      swarmId,
      async read(between) {
        await recheckAccess();
        return (await messages.ofSwarm({ userId, swarmId, ...between, limit: streamLimits.messages })).items;
      },
      ready: stream.flushed,
      send({ items, count }) {
        let size = 0;
        const shown = items.filter(({ json }) => (size += json.length) <= streamLimits.messageBytes);
        const isCut = items.length === streamLimits.messages || shown.length < items.length;
        const skipped = isCut ? Math.max(0, count - shown.length) : 0;
        const texts = shown.toReversed().map(({ json }) => utf8.decode(json));
        const type: MessagesEvent['type'] = 'message.sent';
        const head = JSON.stringify({ id: feed.newestId(), type, at: now().toISOString() });
        // The messages are JSON already.
        const data = `{"swarm_id":"${swarmId}","items":[${texts.join()}],"skipped":${skipped}}`;
        stream.send(`data: ${head.slice(0, -1)},"data":${data}}\n\n`);
      },
    });
  }
  return routes;
}

/** It has no `id:`, because older events may not have been sent yet: the client's position stays. */
const lineOf = (event: GatewayEvent) => `data: ${JSON.stringify(event)}\n\n`;

function changesMap({ audience, batch, user }: { audience: string; batch: EventBatch; user: string }): boolean {
  const ofMap = batch.events.filter(({ type }) => /^(resource|presence)\./.test(type) || endsOrBegins.has(type));
  if (ofMap.length === 0) return false;
  if (audience === 'visible') return true;
  if (audience === 'own') return ofMap.some(({ owner, type }) => owner === user || endsOrBegins.has(type));
  return batch.seenIn(audience.slice('swarm:'.length), user);
}

/** The members of a swarm are a filter of the map. */
const endsOrBegins: ReadonlySet<string> = new Set<EventType>(['membership.changed', 'swarm.destroyed']);

/** @throws `query.invalid` */
function readWatch(text = 'own'): string[] {
  const audiences = [...new Set(text.split(',').filter((part) => part !== ''))];
  if (audiences.length > streamLimits.watched || !audiences.every((audience) => watchable.test(audience))) {
    const detail = `must be at most ${streamLimits.watched} of own, visible, swarm:<id> and messages:<id>, separated by commas`;
    throw new Problem('query.invalid', { errors: [{ pointer: '?watch', code: 'field.not_allowed', detail }] });
  }
  return audiences;
}

/** @throws `query.invalid` */
function readResources(text = ''): Set<string> {
  const resources = new Set(text.split(',').filter((part) => part !== ''));
  if (resources.size > streamLimits.watched) {
    const detail = `must be at most ${streamLimits.watched} ids, separated by commas`;
    throw new Problem('query.invalid', { errors: [{ pointer: '?resource', code: 'field.not_allowed', detail }] });
  }
  return resources;
}

/** A watched map of a stream. */
interface WatchedMap {
  audience: string;
  stream: EventStream;
}

/** A map is reported at most this often. */
const everyMs = 200;
/** Extra delay, so that a pending change can be sent in one write with the next event. */
const spareMs = 60;

/** Sends `map.changed` to browsers, at most five times a second. */
function createMapChangeNotifier({ feed, now }: Pick<EventOptions, 'feed' | 'now'>) {
  const sentAt = new WeakMap<WatchedMap, number>();
  const waiting = new Set<WatchedMap>();
  let timer: NodeJS.Timeout | undefined;

  function send(map: WatchedMap, at: number, resumed?: true) {
    waiting.delete(map);
    sentAt.set(map, at);
    const { audience, stream } = map;
    const id = feed.newestId();
    const data = { audience, version: id, ...(resumed && { resumed }) };
    stream.send(lineOf({ id, type: 'map.changed', at: now().toISOString(), data }));
  }

  function sendDue(sinceMs: number, maps: Iterable<WatchedMap>) {
    const at = performance.now();
    for (const map of maps) if (at - (sentAt.get(map) ?? -Infinity) >= sinceMs) send(map, at);
    if (waiting.size > 0) timer ??= setTimeout(sweep, spareMs);
  }

  function sweep() {
    timer = undefined;
    sendDue(everyMs + spareMs, waiting);
  }

  return {
    /** The map has changed: its stream is notified now, or at most 200 ms after the last notification. */
    note(map: WatchedMap) {
      waiting.add(map);
      sendDue(everyMs, [map]);
    },
    /** The map may have changed before the stream was opened. */
    resume: (map: WatchedMap) => send(map, performance.now(), true),
    /** The map is no longer watched. */
    forget: (map: WatchedMap) => void waiting.delete(map),
  };
}

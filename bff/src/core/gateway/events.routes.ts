import { Hono, type Context } from 'hono';
import type { GatewayEvent } from '../../contract.ts';
import type { EventStream, EventStreams } from '../http/event-streams.ts';
import type { Actions } from '../../capabilities/actions/actions.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { Problem } from '../problem.ts';
import { actionLimits } from '../limits/field-rules.ts';
import { streamLimits } from '../limits/part-limits.ts';
import type { Service } from '../../service/service.ts';
import { lineOf, type EventBatch } from './event-lines.ts';
import type { GatewayEnv } from './gateway-env.ts';
import { changesMap, createMapChangeNotifier } from './map-changes.ts';
import { watchMessages } from './watched-messages.ts';

export interface EventOptions {
  streams: Pick<EventStreams, 'open'>;
  /** All events that a user may see. */
  events: Pick<Service['events'], 'subscribe' | 'cursorLine'>;
  feed: Pick<ChangeFeed, 'newestId' | 'oldestId'>;
  actions: Pick<Actions, 'subscribe'>;
  /** Called for each watched map; the returned function ends it. */
  watching: (watched: { user: string; audience: string }) => () => void;
  /** The new messages of a swarm, for a browser of a user. */
  messages: Pick<Service['messages'], 'watch' | 'ofSwarm'>;
  now: () => Date;
}

const watchable = /^(own|visible|(?:swarm|messages):[0-9a-f-]{36})$/;
const ofMessages = 'messages:';

/**
 * `GET /events?watch=own,swarm:<id>&resource=<id>&last_event_id=&position=`: the service's events for a browser. Instead of all
 * moves, it gets `map.changed` for the watched maps, at most five times a second, and the moves of the devices in
 * `resource`, separated by commas. Instead of the events of the items of a large action of the user, it gets a `reset`.
 */
export function appEventRoutes(options: EventOptions): Hono<GatewayEnv> {
  const { streams, events, feed, now } = options;
  const deps = { ...options, mapChanges: createMapChangeNotifier({ feed, now }) };
  const routes = new Hono<GatewayEnv>();

  routes.get('/events', (c) => {
    const { userName: user, sessionId, setCookie } = c.env.session;
    const { recheckAccess } = c.env;
    const asked = readAsked(c);
    const burst = createBurst();
    return streams.open(c, {
      user,
      proofs: [{ kind: 'session', id: sessionId }],
      // An event, because the web platform exposes the id only with events. A client that loses the connection before the
      // reset must resume before the events that were left out.
      cursorLine: () => (burst.isResetDue() ? '' : `${events.cursorLine()}event: mark\ndata:\n`),
      ...(setCookie && { headers: { 'set-cookie': setCookie } }),
      begin: (stream) => sendEvents(deps, { user, stream, burst, recheckAccess, ...asked }),
    });
  });
  return routes;
}

/** What a browser asks for. */
interface Asked {
  /** The maps that it shows. */
  audiences: string[];
  /** The swarms whose new messages it shows. */
  swarms: string[];
  /** The devices whose moves it shows. */
  resources: Set<string>;
  after: string | undefined;
  position: string | undefined;
}

function readAsked(c: Context): Asked {
  const watch = readWatch(c.req.query('watch'));
  // EventSource cannot set a header on its first request, so the last event id of another tab is a parameter.
  const position = c.req.query('position');
  return {
    audiences: watch.filter((each) => !each.startsWith(ofMessages)),
    swarms: watch
      .filter((each) => each.startsWith(ofMessages))
      .slice(0, streamLimits.swarms)
      .map((each) => each.slice(ofMessages.length)),
    resources: readResources(c.req.query('resource')),
    after: c.req.header('last-event-id') ?? c.req.query('last_event_id') ?? position,
    position,
  };
}

/** Sends events until the stream ends. */
function sendEvents(
  deps: EventOptions & { mapChanges: ReturnType<typeof createMapChangeNotifier> },
  to: Asked & {
    user: string;
    stream: EventStream;
    burst: ReturnType<typeof createBurst>;
    recheckAccess: () => Promise<void> | void;
  },
): { started: Promise<void>; stop: () => void } {
  const { events, feed, actions, watching, mapChanges, now } = deps;
  const { user, stream, burst, recheckAccess, audiences, swarms, resources, after, position } = to;
  const maps = audiences.map((audience) => ({ audience, stream }));
  const ends = audiences.map((audience) => watching({ user, audience }));
  const news = swarms.map((swarmId) => watchMessages(deps, { user, swarmId, stream, recheckAccess }));
  /** The large actions of the user that run. */
  const large = new Set<string>();

  const headOf = <Type extends GatewayEvent['type']>(type: Type) => ({
    id: feed.newestId(),
    type,
    at: now().toISOString(),
  });
  const sendReset = () => stream.send(lineOf({ ...headOf('reset'), data: {} }));
  function sendAction(data: Extract<GatewayEvent, { type: 'action.changed' }>['data']) {
    if ('kind' in data && data.state === 'running' && data.total > actionLimits.itemsShown) large.add(data.id);
    else if ('id' in data) large.delete(data.id);
    stream.send(lineOf({ ...headOf('action.changed'), data }));
  }
  const isShown = ({ isMove, resourceId }: EventBatch['events'][number]) =>
    !isMove || (resourceId !== undefined && resources.has(resourceId));
  function send(batch: EventBatch) {
    const shown = batch.events.filter(isShown);
    if (large.size > 0 || shown.some(({ type }) => type === 'presence.changed')) burst.count(shown.length, sendReset);
    if (!burst.isResetDue()) {
      if (shown.length === batch.events.length) stream.send(batch.bytes);
      else for (const event of shown) stream.send(event.bytes);
    }
    // It comes after the events, because its id says that they have been sent.
    maps.filter(({ audience }) => changesMap({ audience, batch, user })).forEach(mapChanges.add);
  }

  const unsubscribe = actions.subscribe(user, sendAction);
  const { started, stop } = events.subscribe({ user, after, send });
  // Moves and actions since then are in no event.
  if (after !== undefined && position !== feed.newestId()) {
    maps.forEach(mapChanges.resume);
    sendAction({ resumed: true });
  }
  return {
    // The client reads its lists then.
    started: Promise.all([started, ...news.map((each) => each.started)]).then(() => {}),
    stop() {
      stop();
      unsubscribe();
      burst.stop();
      maps.forEach(mapChanges.forget);
      for (const stopWatching of ends) stopWatching();
      for (const each of news) each.stop();
    },
  };
}

/** Counts the events of a second. Beyond `streamLimits.ofSecond`, they are left out, and a reset comes at the end of the second. */
function createBurst() {
  let amount = 0;
  let timer: NodeJS.Timeout | undefined;
  const isResetDue = () => amount > streamLimits.ofSecond;
  return {
    isResetDue,
    count(more: number, sendReset: () => void) {
      amount += more;
      timer ??= setTimeout(() => {
        if (isResetDue()) sendReset();
        amount = 0;
        timer = undefined;
      }, 1000);
    },
    stop: () => clearTimeout(timer),
  };
}

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

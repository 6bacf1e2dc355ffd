import { Hono } from 'hono';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayEvent } from '../../contract.ts';
import type { EventStream } from '../http/event-streams.ts';
import type { EventBatch } from './event-lines.ts';
import { appEventRoutes, type EventOptions } from './events.routes.ts';
import type { GatewayEnv } from './gateway-env.ts';

const swarm = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
const session = { userName: 'ann', sessionId: 's1', expiresAt: new Date() };
type ServiceEvent = EventBatch['events'][number];
let publish: (events: Partial<ServiceEvent>[], seenIn?: EventBatch['seenIn']) => void;
let sent: string[];
let close: () => void;
let mark: () => string;
let actionChanged: Parameters<EventOptions['actions']['subscribe']>[1];
let resumed: string | undefined;
let newest: number;
/** The watched maps. */
let watched: string[];
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  watched = [];
  newest = 0;
});

/** Opens a stream. `sent` collects its output. */
async function open({ query = '', after }: { query?: string; after?: string } = {}) {
  const stream: EventStream = {
    send: (lines) => void sent.push(Buffer.from(lines).toString()),
    isSlow: () => false,
    sendAll() {},
    flushed: async () => {},
    revoke: () => {},
    fail: () => {},
  };
  const app = new Hono<GatewayEnv>();
  const routes = appEventRoutes({
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    actions: {
      subscribe(_user, subscriber) {
        actionChanged = subscriber;
        return () => {};
      },
    },
    messages: {
      watch: () => ({ started: Promise.resolve(), stop: () => {} }),
      ofSwarm: async () => ({ items: [], next: null }),
    },
    watching({ user, audience }) {
      watched.push(`${user} ${audience}`);
      return () => void (watched = watched.filter((each) => each !== `${user} ${audience}`));
    },
    streams: {
      open(c, { proofs, begin, cursorLine: ofStream, ...counted }) {
        mark = ofStream;
        expect([counted, proofs]).toEqual([{ user: 'ann' }, [{ kind: 'session', id: 's1' }]]);
        close = begin(stream).stop;
        return c.body(null);
      },
    },
    events: {
      subscribe({ send: sendBatch, after: from }) {
        resumed = from;
        publish = (some, seenIn = () => false) => {
          newest += 1;
          const events = some.map((event): ServiceEvent => ({
            seq: newest,
            type: 'resource.updated',
            isMove: false,
            resourceId: 'r0',
            bytes: bytes(''),
            ...event,
          }));
          sendBatch({ events, bytes: Buffer.concat(events.map((event) => event.bytes)), seenIn });
        };
        return { started: Promise.resolve(), stop: () => void (publish = () => {}) };
      },
      cursorLine: () => `id: p-${newest}\n`,
    },
    feed: { newestId: () => `p-${newest}`, oldestId: () => 'p-0' },
  });
  app.route('/', routes);
  const answer = await app.request(
    `/events${query}`,
    { headers: after ? { 'last-event-id': after } : {} },
    { session },
  );
  expect(answer.status).toBe(200);
}
const bytes = (text: string) => Buffer.from(text);
const mapChanges = () =>
  sent
    .filter((text) => text.includes('map.changed'))
    .map((text) => (JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as GatewayEvent).data as Record<string, unknown>);
const changes = () => mapChanges().map(({ audience, version }) => [audience, version]);
const pass = (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);

describe('a stream that watches a map', () => {
  it('receives map.changed immediately, then at most five times a second', async () => {
    await open();
    for (let step = 0; step < 100; step++) {
      publish([{ isMove: true, owner: 'ann' }]);
      pass(10);
      if (step === 0) expect(changes()).toEqual([['own', 'p-1']]);
    }
    pass(300);
    expect(changes().length).toBeLessThanOrEqual(6);
    expect(changes().at(-1)).toEqual(['own', 'p-100']);
  });

  it('marks its audiences as watched until it is closed', async () => {
    await open({ query: `?watch=own,swarm:${swarm}` });
    expect(watched).toEqual(['ann own', `ann swarm:${swarm}`]);
    close();
    expect(watched).toEqual([]);
  });

  it('receives map.changed separately for each audience', async () => {
    await open({ query: `?watch=own,visible,swarm:${swarm}` });
    publish([{ isMove: true, owner: 'bob' }]);
    pass(100);
    expect(changes()).toEqual([['visible', 'p-1']]);
    publish([{ isMove: true, owner: 'bob' }], (id, user) => id === swarm && user === 'ann');
    publish([{ isMove: true, owner: 'ann' }]);
    pass(300);
    expect(changes().map(([audience]) => audience)).toEqual(['visible', `swarm:${swarm}`, 'own', 'visible']);
  });

  it.each(['resource.created', 'resource.destroyed', 'membership.changed', 'swarm.destroyed'] as const)(
    'receives map.changed after %s',
    async (type) => {
      await open();
      publish([{ type, owner: 'ann' }]);
      pass(100);
      expect(changes()).toHaveLength(1);
    },
  );

  it.each(['invitation.received', 'swarm.updated', 'swarm.created', 'reset'] as const)(
    'receives no map.changed after %s',
    async (type) => {
      await open({ query: '?watch=own,visible' });
      publish([{ type }]);
      pass(1000);
      expect(changes()).toEqual([]);
    },
  );

  it('receives map.changed when it reconnects', async () => {
    await open({ query: '?watch=own,visible', after: 'p-7' });
    pass(1);
    expect(changes()).toEqual([
      ['own', 'p-0'],
      ['visible', 'p-0'],
    ]);
  });

  it('can tell the map.changed of a reconnection from later ones', async () => {
    await open({ after: 'p-7' });
    pass(300);
    publish([{ isMove: true, owner: 'ann' }]);
    expect(mapChanges()).toEqual([
      { audience: 'own', version: 'p-0', resumed: true },
      { audience: 'own', version: 'p-1' },
    ]);
  });

  it('continues after the last event id of another tab', async () => {
    await open({ query: '?last_event_id=p-7' });
    expect(resumed).toBe('p-7');
    await open({ query: '?last_event_id=p-7', after: 'p-8' });
    expect(resumed).toBe('p-8');
  });

  it('is not resumed if nothing has happened since the position of the client', async () => {
    await open({ query: '?position=p-0' });
    expect([resumed, sent]).toEqual(['p-0', []]);
    await open({ query: '?position=p-1' });
    expect(resumed).toBe('p-1');
    expect(changes()).toEqual([['own', 'p-0']]);
    sent = [];
    await open({ query: '?last_event_id=p-0' });
    expect(changes()).toEqual([['own', 'p-0']]);
  });

  it('receives a mark event with the newest id', async () => {
    await open();
    publish([{}]);
    expect(mark()).toBe('id: p-1\nevent: mark\ndata:\n');
  });

  it('receives nothing after it was closed, and leaves no timer', async () => {
    await open();
    publish([{ isMove: true, owner: 'ann' }]);
    publish([{ isMove: true, owner: 'ann' }]);
    close();
    pass(1000);
    expect(changes()).toEqual([['own', 'p-1']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('receives map.changed after the event that causes it, with its version', async () => {
    await open();
    for (let step = 0; step < 100; step++) {
      publish([{ owner: 'ann', bytes: bytes(`event ${step} `) }]);
      pass(60);
    }
    expect(changes().length).toBeGreaterThan(20);
    for (const [number, text] of sent.entries()) {
      if (text.includes('map.changed'))
        expect(text).toContain(`"p-${Number(/event (\d+)/.exec(sent[number - 1]!)![1]) + 1}"`);
    }
  });
});

describe('moves of devices', () => {
  it('are the only events that are left out', async () => {
    await open();
    publish([{ isMove: true, resourceId: 'r1', bytes: bytes('a') }, { bytes: bytes('b') }, { bytes: bytes('c') }]);
    expect(sent.join('')).toBe('bc');
  });

  it('are sent for the devices that are open in several tabs', async () => {
    await open({ query: '?resource=r1,r2' });
    publish([
      { isMove: true, resourceId: 'r1', bytes: bytes('a') },
      { isMove: true, resourceId: 'r2', bytes: bytes('b') },
      { isMove: true, resourceId: 'r3', bytes: bytes('c') },
    ]);
    expect(sent.join('')).toBe('ab');
  });

  it('are sent for the device that is open', async () => {
    await open({ query: '?resource=r1' });
    publish([
      { isMove: true, resourceId: 'r1', bytes: bytes('a') },
      { isMove: true, resourceId: 'r2', bytes: bytes('b') },
    ]);
    publish([{ isMove: true, resourceId: 'r1', bytes: bytes('c') }]);
    expect(sent.join('')).toBe('ac');
  });
});

describe('while a large action of the user runs', () => {
  const many = Array.from({ length: 30 }, (_, number) => ({ bytes: bytes(`data: ${number}\n\n`) }));
  const action = { id: 'a1', kind: 'update', state: 'running', total: 1000 } as Parameters<typeof actionChanged>[0];
  const ended = { ...action, state: 'ended' } as typeof action;
  const types = () => sent.flatMap((text) => /"type":"([a-z.]+)"/.exec(text)?.[1] ?? text.match(/data: \d/g)?.length);

  it('receives a reset instead of many events, and few events as they are', async () => {
    await open({ query: '?watch=' });
    publish(many);
    actionChanged(action);
    publish(many.slice(0, 2));
    publish(many);
    publish(many.slice(0, 2));
    expect(types()).toEqual([30, 'action.changed', 2]);
    expect(mark()).toBe('');
    pass(1000);
    expect(mark()).toContain('id: ');
    publish(many.slice(0, 3));
    actionChanged(ended);
    pass(1000);
    publish(many);
    expect(types().slice(3)).toEqual(['reset', 3, 'action.changed', 30]);
  });

  it('receives a reset instead of many changes of presence, also while none runs', async () => {
    await open({ query: '?watch=' });
    publish(many.map((event) => ({ ...event, type: 'presence.changed' as const })));
    pass(1000);
    publish(many.slice(0, 2));
    expect(types()).toEqual(['reset', 2]);
  });

  it('still receives map.changed for moves, and no reset', async () => {
    await open();
    actionChanged(action);
    publish(many.map((event) => ({ ...event, isMove: true, owner: 'ann' })));
    pass(1000);
    expect(types()).toEqual(['action.changed', 'map.changed']);
  });
});

import { act } from 'react';
import type { GuestEvent } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test, vi } from 'vitest';
import { minuteMs } from '@swarmdeck/bff/durations';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { GuestPage } from './guest-page.tsx';

beforeAll(() => loadTexts('en'));

const begin = Date.parse('2026-11-20T12:00:00.000Z');
const time = (minute: number) => new Date(begin + minute * minuteMs).toISOString();
const ferry = (minute: number) => ({
  key: 7,
  name: 'Ferry',
  machine_type: 'pc' as const,
  position: { longitude: 8, latitude: minute },
  accuracy: null,
  located_at: time(minute),
});

test('an hour on a wall: it stays open, says when the position is old, is live again, and ends by itself', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now: begin });
  let stream!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
  const fetched = vi.fn<() => Promise<Response>>(async () => new Response(body));
  vi.stubGlobal('fetch', fetched);
  const { container, unmount } = await mountPart(<GuestPage code="code" map={null} swarmMap={null} />);
  const send = (text: string) => stream.enqueue(new TextEncoder().encode(text));
  const sendEvent = (event: GuestEvent) => send(`data: ${JSON.stringify(event)}\n\n`);
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  /** With what the server sends so that a connection stays open. */
  async function waitUntil(minute: number) {
    for (; Date.now() < begin + minute * minuteMs; await wait(15_000)) send(': open\n\n');
  }
  const says = () => container.textContent;
  const texts = t.share_links.guest;

  sendEvent({
    type: 'opened',
    now: time(0),
    shared_by: 'ann',
    expires_at: time(60),
    shows: 'device',
    devices: [ferry(0)],
  });
  await wait(0);
  expect(says()).toContain(texts.live);
  await waitUntil(7);
  expect(says()).toContain(texts.old);
  sendEvent({ type: 'changed', devices: [ferry(7)] });
  await wait(0);
  expect(says()).not.toContain(texts.old);
  expect(says()).toContain(texts.live);
  await waitUntil(59);
  expect(says()).toContain('Ferry');
  await waitUntil(61);
  expect(says()).toContain(texts.ended);
  expect(says()).toContain('The link of ann ended on');
  expect(says()).not.toContain('Ferry');
  expect(fetched).toHaveBeenCalledOnce();
  await unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

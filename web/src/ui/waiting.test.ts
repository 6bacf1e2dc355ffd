import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitingAct } from './waiting.ts';
import { createWaiting, keepaliveLimit } from './waiting.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function act(key: string, more: Partial<WaitingAct> = {}) {
  return {
    key,
    label: key,
    send: vi.fn<WaitingAct['send']>(async () => undefined),
    onRefused: vi.fn<WaitingAct['onRefused']>(),
    ...more,
  };
}

class FakeDocument extends EventTarget {
  visibilityState = 'visible';
}

function openPage() {
  const page = { window: new EventTarget(), document: new FakeDocument() };
  const waiting = createWaiting();
  const stop = waiting.watch(page);
  return { page, waiting, stop };
}

function hide(document: FakeDocument) {
  document.visibilityState = 'hidden';
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('an act that waits', () => {
  it('is sent ten seconds after the click, once, and is gone when the server has it', async () => {
    const waiting = createWaiting();
    const one = act('one');
    waiting.add(one);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(one.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.send).toHaveBeenCalledOnce();
    expect(waiting.items()).toEqual([]);
  });

  it('that goes on where it was interrupted is sent at once, and shown until it has ended', async () => {
    const waiting = createWaiting();
    const sending = Promise.withResolvers<void>();
    waiting.goOn(act('one', { send: () => sending.promise, progress: '3 of 7' }));
    expect(waiting.items()).toMatchObject([{ state: 'sending', progress: '3 of 7' }]);
    sending.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.items()).toEqual([]);
  });

  it('counts whole seconds down for those who watch', () => {
    const waiting = createWaiting();
    const seen: number[] = [];
    waiting.subscribe(() => seen.push(waiting.items()[0]?.seconds ?? -1));
    waiting.add(act('one'));
    vi.advanceTimersByTime(3_000);
    expect(seen).toEqual([10, 9, 8, 7]);
  });

  it('is never sent when it is undone', async () => {
    const waiting = createWaiting();
    const one = act('one', { onUndo: vi.fn<() => void>() });
    waiting.add(one);
    vi.advanceTimersByTime(9_000);
    waiting.undo('one');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.send).not.toHaveBeenCalled();
    expect(one.onUndo).toHaveBeenCalledOnce();
    expect(waiting.items()).toEqual([]);
  });

  it('cannot be undone once it is under way', async () => {
    const waiting = createWaiting();
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = act('one', { send: () => promise, onUndo: vi.fn<() => void>() });
    waiting.add(one);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(waiting.items()[0]?.state).toBe('sending');
    waiting.undo('one');
    expect(one.onUndo).not.toHaveBeenCalled();
    resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.items()).toEqual([]);
  });

  it('stops its countdown while it is paused, and continues from there', async () => {
    const waiting = createWaiting();
    const one = act('one');
    waiting.add(one);
    await vi.advanceTimersByTimeAsync(4_000);
    const resumes = [waiting.pause('one'), waiting.pause('one')];
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(waiting.items()[0]?.seconds).toBe(6);
    resumes[0]?.();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(one.send).not.toHaveBeenCalled();
    resumes[1]?.();
    await vi.advanceTimersByTimeAsync(5_999);
    expect(one.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(one.send).toHaveBeenCalledOnce();
  });

  it('is not paused by a pause of another one, or of one that has ended', async () => {
    const waiting = createWaiting();
    waiting.add(act('one'));
    const two = act('two');
    waiting.add(two);
    const resume = waiting.pause('one');
    waiting.undo('one');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(two.send).toHaveBeenCalledOnce();
    const again = act('one');
    waiting.add(again);
    waiting.undo('one');
    resume();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('returns to its place with the reason when the server refuses', async () => {
    const waiting = createWaiting();
    const reason = new Error('withdrawn');
    const one = act('one', { send: () => Promise.reject(reason) });
    waiting.add(one);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(one.onRefused).toHaveBeenCalledExactlyOnceWith(reason);
    expect(waiting.items()).toEqual([]);
  });

  it('has its own ten seconds whatever waits beside it', async () => {
    const waiting = createWaiting();
    waiting.add(act('one'));
    await vi.advanceTimersByTimeAsync(1_500);
    const two = act('two');
    waiting.add(two);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(two.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(two.send).toHaveBeenCalledOnce();
  });

  it('is not taken twice', async () => {
    const waiting = createWaiting();
    const [first, second] = [act('one'), act('one')];
    waiting.add(first);
    waiting.add(second);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.send).toHaveBeenCalledOnce();
    expect(second.send).not.toHaveBeenCalled();
  });

  it('leaves no timer behind', async () => {
    const waiting = createWaiting();
    waiting.add(act('one'));
    waiting.undo('one');
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('sends everything at once where somebody signs out, and says when it has been sent', async () => {
  const waiting = createWaiting();
  const sending = Promise.withResolvers<void>();
  waiting.add(act('one', { send: () => sending.promise }));
  waiting.add(act('two', { send: () => Promise.reject(new Error('withdrawn')) }));
  let isDone = false;
  void (async () => {
    await waiting.flush({ keepalive: false });
    isDone = true;
  })();
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(false);
  sending.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(true);
});

describe('a page that is left', () => {
  it('sends everything at once in requests that outlive it', () => {
    const { page, waiting } = openPage();
    const acts = [act('one'), act('two')];
    for (const one of acts) waiting.add(one);
    hide(page.document);
    for (const one of acts) expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
    page.window.dispatchEvent(new Event('pagehide'));
    for (const one of acts) expect(one.send).toHaveBeenCalledOnce();
  });

  it('sends a paused action too', () => {
    const { page, waiting } = openPage();
    const one = act('one');
    waiting.add(one);
    waiting.pause('one');
    page.window.dispatchEvent(new Event('pagehide'));
    expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
  });

  it('does nothing when it only comes back', () => {
    const { page, waiting } = openPage();
    const one = act('one');
    waiting.add(one);
    page.document.dispatchEvent(new Event('visibilitychange'));
    expect(one.send).not.toHaveBeenCalled();
  });

  it('asks before it goes when more waits than can outlive it', () => {
    const { page, waiting } = openPage();
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      page.window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    waiting.add(act('one', { bytes: keepaliveLimit.bytes }));
    expect(leave()).toBe(false);
    const over = act('two', { bytes: 1 });
    waiting.add(over);
    expect(leave()).toBe(true);
    hide(page.document);
    expect(over.send).toHaveBeenCalledExactlyOnceWith({ keepalive: false });
    expect(leave()).toBe(false);
  });

  it('is no longer listened to after the end', () => {
    const { page, waiting, stop } = openPage();
    const one = act('one');
    waiting.add(one);
    stop();
    hide(page.document);
    expect(one.send).not.toHaveBeenCalled();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PendingAction, PendingActions } from './pending-actions.ts';
import { createPendingActions, keepaliveLimit } from './pending-actions.ts';

beforeEach(() => vi.useFakeTimers());

function action(key: string, more: Partial<PendingAction> = {}) {
  return {
    key,
    label: key,
    send: vi.fn<PendingAction['send']>(async () => undefined),
    onError: vi.fn<PendingAction['onError']>(),
    ...more,
  };
}

function changeVisibility(state: 'hidden' | 'visible') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('a pending action', () => {
  it('is sent once, ten seconds after the click, and ends when the server has answered', async () => {
    const pending = createPendingActions();
    const one = action('one');
    pending.add(one);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(one.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.send).toHaveBeenCalledOnce();
    expect(pending.items()).toEqual([]);
  });

  it('can be sent immediately, and is listed until it has ended', async () => {
    const pending = createPendingActions();
    const sending = Promise.withResolvers<void>();
    pending.run(action('one', { send: () => sending.promise, progress: '3 of 7' }));
    expect(pending.items()).toMatchObject([{ phase: 'sending', progress: '3 of 7' }]);
    sending.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(pending.items()).toEqual([]);
  });

  it('counts down in whole seconds', () => {
    const pending = createPendingActions();
    const seen: number[] = [];
    pending.subscribe(() => seen.push(pending.items()[0]?.seconds ?? -1));
    pending.add(action('one'));
    vi.advanceTimersByTime(3_000);
    expect(seen).toEqual([10, 9, 8, 7]);
  });

  it('is never sent when it is undone', async () => {
    const pending = createPendingActions();
    const one = action('one', { onUndo: vi.fn<() => void>() });
    pending.add(one);
    vi.advanceTimersByTime(9_000);
    pending.undo('one');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.send).not.toHaveBeenCalled();
    expect(one.onUndo).toHaveBeenCalledOnce();
    expect(pending.items()).toEqual([]);
  });

  it('cannot be undone while it is being sent', async () => {
    const pending = createPendingActions();
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = action('one', { send: () => promise, onUndo: vi.fn<() => void>() });
    pending.add(one);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(pending.items()[0]?.phase).toBe('sending');
    pending.undo('one');
    expect(one.onUndo).not.toHaveBeenCalled();
    resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(pending.items()).toEqual([]);
  });

  it('stops its countdown while it is paused, and continues from there', async () => {
    const pending = createPendingActions();
    const one = action('one');
    pending.add(one);
    await vi.advanceTimersByTimeAsync(4_000);
    const resumes = [pending.pause('one'), pending.pause('one')];
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(pending.items()[0]?.seconds).toBe(6);
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
    const pending = createPendingActions();
    pending.add(action('one'));
    const two = action('two');
    pending.add(two);
    const resume = pending.pause('one');
    pending.undo('one');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(two.send).toHaveBeenCalledOnce();
    const again = action('one');
    pending.add(again);
    pending.undo('one');
    resume();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails with the error of the server', async () => {
    const pending = createPendingActions();
    const reason = new Error('withdrawn');
    const one = action('one', { send: () => Promise.reject(reason) });
    pending.add(one);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(one.onError).toHaveBeenCalledExactlyOnceWith(reason);
    expect(pending.items()).toEqual([]);
  });

  it('has its own ten seconds', async () => {
    const pending = createPendingActions();
    pending.add(action('one'));
    await vi.advanceTimersByTimeAsync(1_500);
    const two = action('two');
    pending.add(two);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(two.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(two.send).toHaveBeenCalledOnce();
  });

  it('is ignored while another one with the same key is pending', async () => {
    const pending = createPendingActions();
    const [first, second] = [action('one'), action('one')];
    pending.add(first);
    pending.add(second);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first.send).toHaveBeenCalledOnce();
    expect(second.send).not.toHaveBeenCalled();
  });

  it('leaves no timer behind', async () => {
    const pending = createPendingActions();
    pending.add(action('one'));
    pending.undo('one');
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('sends everything when the user signs out, and resolves when it has been sent', async () => {
  const pending = createPendingActions();
  const sending = Promise.withResolvers<void>();
  pending.add(action('one', { send: () => sending.promise }));
  pending.add(action('two', { send: () => Promise.reject(new Error('withdrawn')) }));
  let isDone = false;
  void (async () => {
    await pending.flush({ keepalive: false });
    isDone = true;
  })();
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(false);
  sending.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(true);
});

describe('a document that is hidden or closed', () => {
  let pending: PendingActions;
  let stop: () => void;
  beforeEach(() => {
    pending = createPendingActions();
    stop = pending.watch();
  });
  afterEach(() => stop());

  it('sends everything immediately, with keepalive', () => {
    const actions = [action('one'), action('two')];
    for (const one of actions) pending.add(one);
    changeVisibility('hidden');
    for (const one of actions) expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
    dispatchEvent(new Event('pagehide'));
    for (const one of actions) expect(one.send).toHaveBeenCalledOnce();
  });

  it('sends a paused action too', () => {
    const one = action('one');
    pending.add(one);
    pending.pause('one');
    dispatchEvent(new Event('pagehide'));
    expect(one.send).toHaveBeenCalledExactlyOnceWith({ keepalive: true });
  });

  it('sends nothing when it becomes visible again', () => {
    const one = action('one');
    pending.add(one);
    changeVisibility('visible');
    expect(one.send).not.toHaveBeenCalled();
  });

  it('asks the user before closing if more is pending than keepalive allows', () => {
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    };
    pending.add(action('one', { bytes: keepaliveLimit.bytes }));
    expect(leave()).toBe(false);
    const over = action('two', { bytes: 1 });
    pending.add(over);
    expect(leave()).toBe(true);
    changeVisibility('hidden');
    expect(over.send).toHaveBeenCalledExactlyOnceWith({ keepalive: false });
    expect(leave()).toBe(false);
  });

  it('is not watched after the watcher was stopped', () => {
    const one = action('one');
    pending.add(one);
    stop();
    changeVisibility('hidden');
    expect(one.send).not.toHaveBeenCalled();
  });
});

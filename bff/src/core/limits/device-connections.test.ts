import { expect, test, vi } from 'vitest';
import { createDeviceConnections } from './device-connections.ts';
import { messageLimits } from './field-rules.ts';
import { createSlots } from './slots.ts';
import { createRate } from './rate.ts';

const { streamsOfDevice } = messageLimits;

function connections(burst: number) {
  let now = 0;
  const changes: string[] = [];
  const { take } = createDeviceConnections({
    takeovers: createRate({ perSecond: 1, burst, now: () => new Date(now) }),
    onChange: (id, isConnected) => changes.push(`${id} ${isConnected}`),
  });
  const open = (id: string) => {
    const [end, releaseUser] = [vi.fn<() => void>(), vi.fn<() => void>()];
    return { release: take({ id, reserve: () => releaseUser, stop: end }), end, releaseUser };
  };
  return { changes, open, wait: (seconds: number) => void (now += seconds * 1000) };
}

test('one more connection than a device may have ends its oldest, whose place is free at once', () => {
  const { open, changes } = connections(10);
  const all = Array.from({ length: streamsOfDevice + 2 }, () => open('a'));
  open('b');
  const ended = all.map(({ end, releaseUser }) => [end.mock.calls.length, releaseUser.mock.calls.length]);
  expect(ended).toEqual(all.map((_, index) => (index < 2 ? [1, 1] : [0, 0])));
  for (const { release } of [...all, ...all]) release();
  for (const { releaseUser } of all) expect(releaseUser).toHaveBeenCalledTimes(1);
  expect(changes).toEqual(['a true', 'b true', 'a false']);
});

test('a device that takes its own connections over again and again is slowed', () => {
  const { open, wait } = connections(2);
  const all = Array.from({ length: streamsOfDevice + 2 }, () => open('a'));
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rate.exceeded', headers: { 'retry-after': '1' } }));
  expect(all[2]!.end).not.toHaveBeenCalled();
  wait(1);
  open('a');
  expect(all[2]!.end).toHaveBeenCalledTimes(1);
});

test.each([1, streamsOfDevice])(
  'a device with %s takes its own connection over if its user has no place left',
  (most) => {
    const slots = createSlots(most);
    const { take } = createDeviceConnections({
      takeovers: createRate({ perSecond: 1, burst: 1, now: () => new Date(0) }),
      onChange() {},
    });
    const reserve = () => slots.take('user');
    const ends = Array.from({ length: most + 1 }, () => vi.fn<() => void>());
    const releases = ends.map((end) => take({ id: 'a', reserve, stop: end }));
    expect(ends.map((end) => end.mock.calls.length)).toEqual([1, ...ends.slice(1).map(() => 0)]);
    // Another device gets none, until one of them is given back.
    const open = () => take({ id: 'b', reserve, stop() {} });
    expect(open).toThrow(expect.objectContaining({ code: 'rate.exceeded' }));
    releases[0]!();
    expect(open).toThrow(expect.objectContaining({ code: 'rate.exceeded' }));
    releases[1]!();
    open();
  },
);

test('a device keeps its connections, and these their slots, if a new one needs a slot of another kind', () => {
  const slots = createSlots(streamsOfDevice);
  const { take } = createDeviceConnections({
    takeovers: createRate({ perSecond: 1, burst: 1, now: () => new Date(0) }),
    onChange() {},
  });
  const end = vi.fn<() => void>();
  const reserve = () => slots.take('user');
  const releases = Array.from({ length: streamsOfDevice }, () => take({ id: 'a', reserve, stop: end }));
  const reserveByMqtt = () => {
    throw new Error('no place');
  };
  expect(() => take({ id: 'a', reserve: reserveByMqtt, stop: end })).toThrow('no place');
  expect(end).not.toHaveBeenCalled();
  expect(reserve).toThrow(expect.objectContaining({ code: 'rate.exceeded' }));
  for (const release of releases) release();
  slots.take('user', streamsOfDevice);
});

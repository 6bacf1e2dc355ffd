import { expect, test } from 'vitest';
import { limitLoads } from './map-tiles.api.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

function createBench(atOnce: number) {
  const running = new Map<string, { succeed: () => void; fail: () => void; signal: AbortSignal }>();
  const results: string[] = [];
  const load = limitLoads<string, string>({
    atOnce,
    load: (item, signal) =>
      new Promise((resolve, reject) => {
        running.set(item, { succeed: () => resolve(item), fail: () => reject(new Error(item)), signal });
      }),
  });
  const start = (item: string) => {
    const stop = new AbortController();
    load(item, stop.signal).then(
      (value) => results.push(value),
      (error: unknown) => results.push(String(error)),
    );
    return () => stop.abort(`stopped ${item}`);
  };
  return { running, results, start };
}

test('a limited number of tiles load at a time; the next starts when one succeeds or fails', async () => {
  const { running, results, start } = createBench(2);
  for (const item of ['a', 'b', 'c', 'd']) start(item);
  expect([...running.keys()]).toEqual(['a', 'b']);
  running.get('b')!.fail();
  await settled();
  expect([...running.keys()]).toEqual(['a', 'b', 'c']);
  running.get('a')!.succeed();
  await settled();
  expect([...running.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(results).toEqual(['Error: b', 'a']);
});

test('an aborted load lets the next one start; one that has not started never does', async () => {
  const { running, results, start } = createBench(1);
  const stop = start('a');
  const stopWaiting = start('b');
  start('c');
  stopWaiting();
  stop();
  expect(running.get('a')!.signal.aborted).toBe(true);
  running.get('a')!.fail();
  await settled();
  expect([...running.keys()]).toEqual(['a', 'c']);
  running.get('c')!.succeed();
  await settled();
  expect(results).toEqual(['Error: a', 'stopped b', 'c']);
});

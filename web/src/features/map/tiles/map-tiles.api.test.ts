import { expect, test } from 'vitest';
import { createLoads } from './map-tiles.api.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

function createBench(atOnce: number) {
  const running = new Map<string, { succeed: () => void; fail: () => void; signal: AbortSignal }>();
  const results: string[] = [];
  const loads = createLoads<string, string>({
    atOnce,
    load: (what, signal) =>
      new Promise((resolve, reject) => {
        running.set(what, { succeed: () => resolve(what), fail: () => reject(new Error(what)), signal });
      }),
  });
  const start = (what: string) =>
    loads.start({
      what,
      onLoad: (value) => void results.push(value),
      onError: (error) => void results.push(String(error)),
    });
  return { running, results, start };
}

test('a limited number of tiles load at a time; the next starts when one succeeds or fails', async () => {
  const { running, results, start } = createBench(2);
  for (const what of ['a', 'b', 'c', 'd']) start(what);
  expect([...running.keys()]).toEqual(['a', 'b']);
  running.get('b')!.fail();
  await settled();
  expect([...running.keys()]).toEqual(['a', 'b', 'c']);
  running.get('a')!.succeed();
  await settled();
  expect([...running.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(results).toEqual(['Error: b', 'a']);
});

test('a stopped load calls no callback and lets the next one start', async () => {
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
  expect(results).toEqual(['c']);
});

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import type { HeldIndex } from './held-index.ts';

const sliceMs = 8;

/**
 * Builds indexes in slices, turn by turn: whoever asks for a small one does not wait for a large one, and questions
 * are answered in between.
 */
export function createBuilds() {
  const jobs: { held: HeldIndex; work: Generator<void, void>; isWanted: () => boolean }[] = [];

  function slice() {
    const job = jobs.shift()!;
    if (!job.isWanted()) job.held.abandon();
    else if (!workOn(job.work)) jobs.push(job);
    if (jobs.length > 0) setImmediate(slice);
  }

  return {
    start(held: HeldIndex, isWanted: () => boolean) {
      jobs.push({ held, work: held.build(), isWanted });
      if (jobs.length === 1) setImmediate(slice);
    },
  };
}

/** True: it is done. */
function workOn(work: Generator<void, void>): boolean {
  const until = performance.now() + sliceMs;
  for (;;) {
    if (work.next().done) return true;
    if (performance.now() >= until) return false;
  }
}

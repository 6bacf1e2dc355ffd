/** The devices that a link shows, in the order of their changes: a viewer that has all up to a step gets the ones after it. */
import { randomInt } from 'node:crypto';
import type { SharedDevice } from '../contract.ts';
import { shareLinkLimits } from '../limits/part-limits.ts';

interface Shown {
  key: number;
  /** JSON; undefined if it is not shown any more. */
  text: string | undefined;
  /** The step of its last change. */
  step: number;
  /** When its membership ends. */
  endsAt: string | null;
}

/** The next devices after a step. */
export interface Part {
  /** As JSON. */
  devices: string;
  /** The keys of devices that are not shown any more. */
  gone: readonly number[];
  /** A viewer that has received the part has everything up to this step. */
  step: number;
}

export type ShownDevices = ReturnType<typeof createShownDevices>;

export function createShownDevices() {
  /** In the order of their steps. */
  const shown = new Map<number, Shown>();
  const keys = new Map<string, number>();
  let step = 0;
  /** How many of `shown` are not shown any more. */
  let gone = 0;
  let nextEnd: string | undefined;

  /** Puts it after the others. */
  function put(changed: Omit<Shown, 'step'>) {
    step += 1;
    shown.delete(changed.key);
    shown.set(changed.key, { ...changed, step });
  }

  /** Says nothing of the device, and is another one for each link and each process. */
  function newKey(): number {
    for (;;) {
      const key = randomInt(2 ** 47);
      if (!shown.has(key)) return key;
    }
  }

  return {
    ids: () => [...keys.keys()],
    step: () => step,
    /** When the next membership ends, as it was computed last. */
    nextEnd: () => nextEnd,

    show(id: string, { device, endsAt }: { device: Omit<SharedDevice, 'key'>; endsAt: string | null }) {
      const key = keys.get(id) ?? newKey();
      keys.set(id, key);
      const text = JSON.stringify({ key, ...device } satisfies SharedDevice);
      const known = shown.get(key);
      if (known?.text === text) known.endsAt = endsAt;
      else put({ key, text, endsAt });
    },

    hide(id: string) {
      const key = keys.get(id);
      if (key === undefined) return;
      keys.delete(id);
      gone += 1;
      put({ key, text: undefined, endsAt: null });
    },

    /** Those whose memberships have ended at this time. */
    endedAt: (at: string) =>
      [...keys].flatMap(([id, key]) => {
        const { endsAt } = shown.get(key)!;
        return endsAt !== null && endsAt <= at ? [id] : [];
      }),

    /** Returns whether the next end is another one than before. */
    computeNextEnd(): boolean {
      const before = nextEnd;
      nextEnd = undefined;
      for (const { endsAt } of shown.values())
        if (endsAt !== null && (nextEnd === undefined || endsAt < nextEnd)) nextEnd = endsAt;
      return nextEnd !== before;
    },

    /** At most so many that a viewer can get them at once. */
    partAfter(after: number): Part {
      const texts: string[] = [];
      const removed: number[] = [];
      let last = after;
      for (const each of shown.values()) {
        if (each.step <= after) continue;
        if (texts.length === shareLinkLimits.devicesAtOnce)
          return { devices: `[${texts.join(',')}]`, gone: removed, step: last };
        last = each.step;
        if (each.text === undefined) removed.push(each.key);
        else texts.push(each.text);
      }
      return { devices: `[${texts.join(',')}]`, gone: removed, step };
    },

    /** All viewers have received the removals. */
    forgetGone() {
      if (gone === 0) return;
      for (const [key, { text }] of shown) if (text === undefined) shown.delete(key);
      gone = 0;
    },
  };
}

/** The devices that links show, in the order of their changes: a viewer that has all up to a step gets the ones after it. */
import { guestLimits } from './limits.ts';
import type { Service } from '../../service/service.ts';

type SharedDevice = Awaited<ReturnType<Service['shareLinks']['sharedNow']>>['devices'][number];

interface Shown {
  id: string;
  /** Links name the device by it (`Part`). */
  number: number;
  /** JSON without its beginning, `{"key":…,`; undefined if it is not shown any more. */
  text: string | undefined;
  /** The step of its last change. */
  step: number;
  /** When its membership ends. */
  endsAt: string | null;
  /** It is again further behind, with a later step. */
  isReplaced: boolean;
}

/** The next devices after a step, as JSON of one link. */
interface Part {
  devices: string;
  /** The keys of devices that are not shown any more. */
  gone: readonly number[];
  /** A viewer that has received the part has everything up to this step. */
  step: number;
}

/** In bytes: what a device takes beside its text. */
const overhead = 250;
const maps = 64;

export type ShownDevices = ReturnType<typeof createShownDevices>;

export function createShownDevices() {
  /** By the ends of their ids: a single map of 65,000 moves all its entries when it grows, which takes up to 20 ms. */
  const shown = Array.from({ length: maps }, () => new Map<string, Shown>());
  /** In the order of their steps. Those that have changed since are there again, further behind. */
  let changes: Shown[] = [];
  let step = 0;
  let count = 0;
  /** The number of `changes` that are replaced. */
  let replaced = 0;
  let textLength = 0;
  let nextEnd: string | undefined;

  const mapOf = (id: string) => shown[(id.charCodeAt(id.length - 1) + 16 * id.charCodeAt(id.length - 2)) % maps]!;
  const find = (id: string) => mapOf(id).get(id);

  /** Puts it behind the others. */
  function put(changed: Omit<Shown, 'step' | 'isReplaced'>) {
    const before = find(changed.id);
    if (before) {
      before.isReplaced = true;
      replaced += 1;
    }
    step += 1;
    textLength += (changed.text?.length ?? 0) - (before?.text?.length ?? 0);
    const device = { ...changed, step, isReplaced: false };
    mapOf(device.id).set(device.id, device);
    changes.push(device);
  }

  function hide(id: string) {
    const known = find(id);
    if (known?.text !== undefined) put({ ...known, text: undefined, endsAt: null });
  }

  /** The index of the first change after a step. */
  function indexAfter(after: number): number {
    let [from, to] = [0, changes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (changes[middle]!.step <= after) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    has: (id: string): boolean => find(id)?.text !== undefined,
    step: () => step,
    /** No membership ends before. */
    nextEnd: () => nextEnd,
    /** What is held in memory. */
    bytes: () => textLength + changes.length * overhead,

    show({ id, text, endsAt }: SharedDevice) {
      const known = find(id);
      if (known?.text === text) known.endsAt = endsAt;
      else put({ id, number: known?.number ?? count++, text, endsAt });
      if (endsAt !== null && (nextEnd === undefined || endsAt < nextEnd)) nextEnd = endsAt;
    },

    hide,

    /** Hides those whose memberships have ended at this time, a part of them if they are many: then `nextEnd` is still in the past. */
    hideEnded(at: string) {
      nextEnd = undefined;
      let left: number = guestLimits.devicesAtOnce;
      for (const { id, endsAt, isReplaced } of changes) {
        if (endsAt === null || isReplaced) continue;
        if (endsAt <= at && left > 0) {
          hide(id);
          left -= 1;
        } else if (nextEnd === undefined || endsAt < nextEnd) nextEnd = endsAt;
      }
    },

    /** At most so many that a viewer can get them at once. The key of a device is `firstKey` and its number. */
    partAfter(after: number, firstKey: number): Part {
      const texts: string[] = [];
      const gone: number[] = [];
      let last = after;
      for (let index = indexAfter(after); index < changes.length; index += 1) {
        const device = changes[index]!;
        if (device.isReplaced) continue;
        const isFull = texts.length + gone.length === guestLimits.devicesAtOnce;
        if (isFull) return { devices: `[${texts.join(',')}]`, gone, step: last };
        last = device.step;
        const key = firstKey + device.number;
        if (device.text === undefined) gone.push(key);
        else texts.push(`{"key":${key},${device.text}`);
      }
      return { devices: `[${texts.join(',')}]`, gone, step };
    },

    /** Forgets what is replaced, once it is more than half, and removals that all viewers have: those up to this step. */
    forgetChanges(upTo: number) {
      if (2 * replaced < changes.length + guestLimits.devicesAtOnce) return;
      replaced = 0;
      changes = changes.filter(({ id, text, step: changedAt, isReplaced }) => {
        if (isReplaced) return false;
        if (text !== undefined || changedAt > upTo) return true;
        mapOf(id).delete(id);
        return false;
      });
    },
  };
}

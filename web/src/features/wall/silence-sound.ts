import { useEffect, useRef } from 'react';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { createPreference } from '../../ui/browser/preference.ts';

/** Whether this browser makes a sound when a device on a wall falls silent. */
export const silenceSound = createPreference({ key: 'wall_sound', values: ['off', 'on'] });

/** Two short tones. Browsers play them only after the user has used the page once. */
export function playTones(): void {
  const context = new AudioContext();
  for (const [at, hertz] of [
    [0, 660],
    [0.2, 440],
  ] as const) {
    const start = context.currentTime + at;
    const volume = new GainNode(context, { gain: 0.2 });
    const tone = new OscillatorNode(context, { frequency: hertz });
    // A tone that ends at once would click.
    volume.gain.setTargetAtTime(0, start + 0.12, 0.02);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  }
  setTimeout(() => void context.close(), 1000);
}

/** Silent devices, those that were heard last first. */
export type SilentDevices = Pick<DevicePage, 'items' | 'next'>;

/** Plays when another device is silent. `silent`: undefined while it is unknown. */
export function useSilenceSound(silent: SilentDevices | undefined): void {
  const last = useRef(silent);
  useEffect(() => {
    if (!silent) return;
    if (last.current && hasOther(silent, last.current)) playTones();
    last.current = silent;
  }, [silent]);
}

/** Whether a device was not silent before. If there are more than were read, one that was not read is not another one. */
function hasOther({ items }: SilentDevices, before: SilentDevices): boolean {
  const known = new Set(before.items.map(({ id }) => id));
  const oldest = before.next === null ? '' : (before.items.at(-1)?.presence.heard_at ?? '');
  return items.some(({ id, presence }) => !known.has(id) && (presence.heard_at ?? '') >= oldest);
}

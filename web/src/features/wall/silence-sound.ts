import { useEffect, useRef } from 'react';
import { createPreference, usePreference } from '../../ui/preference.ts';

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

/** Plays when there are more silent devices than before. `silent`: undefined while the number is unknown. */
export function useSilenceSound(silent: number | undefined): void {
  const isOn = usePreference(silenceSound) === 'on';
  const last = useRef(silent);
  useEffect(() => {
    if (silent === undefined) return;
    if (isOn && silent > (last.current ?? silent)) playTones();
    last.current = silent;
  }, [silent, isOn]);
}

/**
 * Shortcuts. A page registers what works on it; what was registered last is asked first, and what works everywhere last
 * of all. Single keys are off while typing, on key repeat, together with Ctrl, Alt or Cmd, and behind a dialog.
 */
import { isApple } from './apple.ts';
import type { KeyAct, KeyPlace, KeyTable } from './key-table.ts';

/** What the keys of one place do, as long as they are registered. */
interface KeyLayer {
  place: KeyPlace;
  acts: Record<string, KeyAct>;
}

export interface Keys {
  /** Returns how to take them back. */
  register(layer: KeyLayer): () => void;
  /** What works now, the last asked first. */
  layers(): readonly KeyLayer[];
  handle(event: KeyboardEvent): void;
  /** For a button that does what a key does. */
  press(keys: KeyTable[KeyPlace]): void;
}

/** How long the first key of a sequence waits for its second, in ms. */
const patience = 1200;

const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';
const pressable = 'button, a[href], summary, [role="menuitem"], input, select, textarea';

export function createKeys({ enabled, now }: { enabled(): boolean; now(): number }): Keys {
  const layers: KeyLayer[] = [];
  let prefix: { key: string; at: number } | null = null;

  const find = (keys: string) => layers.findLast(({ acts }) => acts[keys])?.acts[keys];
  const startsSequence = (key: string) =>
    layers.some(({ acts }) => Object.keys(acts).some((keys) => keys.startsWith(`${key} `)));

  /** `mod k`, `c`; null for what is the browser's. */
  function nameOf(event: KeyboardEvent): string | null {
    const { ctrlKey, metaKey } = event;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isApple ? metaKey : ctrlKey) return event.shiftKey ? null : `mod ${key}`;
    return ctrlKey || metaKey ? null : key;
  }

  /** What needs no letter goes on while one types, and with shortcuts off: it is not pressed by mistake. */
  function isOff(key: string, target: Element): boolean {
    if (key.startsWith('mod ')) return false;
    if (target.closest(typing)) return true;
    // Enter and Space press what has the focus
    if ((key === 'Enter' || key === ' ') && target.closest(pressable)) return true;
    return key !== 'Escape' && !enabled();
  }

  return {
    register(layer) {
      if (layer.place === 'everywhere') layers.unshift(layer);
      else layers.push(layer);
      return () => {
        layers.splice(layers.indexOf(layer), 1);
      };
    },
    layers: () => layers.toReversed(),
    handle(event) {
      const target = event.target as Element;
      const key = nameOf(event);
      if (event.defaultPrevented || event.repeat || event.altKey || key === null) return;
      if (target.ownerDocument.querySelector('dialog[open]') || isOff(key, target)) return;

      const first = prefix && now() - prefix.at <= patience ? prefix.key : null;
      prefix = null;
      const act = (first !== null && find(`${first} ${key}`)) || find(key);
      if (act) {
        event.preventDefault();
        act(event);
      } else if (startsSequence(key)) prefix = { key, at: now() };
    },
    press: (keys) => find(keys)?.(new KeyboardEvent('keydown')),
  };
}

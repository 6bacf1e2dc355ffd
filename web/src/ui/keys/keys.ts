import { createListeners } from '../../data/listeners.ts';
import type { Command, CommandId, CommandScope } from './commands.ts';

/**
 * Shortcuts. A page registers its commands (ui/keys/commands.ts). The keys registered last have priority; those that work everywhere come last.
 * Single keys are off while typing, on key repeat, together with Ctrl, Alt or Cmd, and behind a dialog.
 */

/** The commands that are possible in a part that is mounted. */
export interface KeyLayer {
  readonly scope: CommandScope;
  readonly commands: readonly Command[];
}

export interface Keys {
  /** What a part offers from now on; null: nothing. It keeps its place among the others until it offers nothing. */
  offer(part: object, layer: KeyLayer | null): void;
  /** What all parts offer, those with priority first. The same list until a part offers something else. */
  layers(): readonly KeyLayer[];
  /** Calls the listener when `layers` returns another list. */
  subscribe(listener: () => void): () => void;
  handle(event: KeyboardEvent): void;
  /** For a button that does what a key does everywhere. */
  run(id: CommandId<'everywhere'>): void;
  /**
   * Collects typed characters instead of running shortcuts, while the code of a dialog loads. It ends with `takeTyped`,
   * with Esc, or after ten seconds.
   */
  collectTyped(): void;
  /** Ends `collectTyped` and returns what was typed. */
  takeTyped(): string;
}

/** Enter and Esc belong to the input method while a character is being composed. */
export const isComposing = ({ isComposing: composing, keyCode }: KeyboardEvent) =>
  // Safari sends the confirming Enter after the end of the composition, with this code
  composing || keyCode === 229;

/** The key as shortcuts name it. On a layout without Latin letters, it is the letter of the key on a US layout. */
export function keyOf({ key, code }: KeyboardEvent): string {
  if (key.length !== 1) return key;
  const isOtherLetter = /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key);
  return ((isOtherLetter && /^Key([A-Z])$/.exec(code)?.[1]) || key).toLowerCase();
}

/** How long the first key of a sequence waits for its second, in ms. */
const sequenceTimeout = 1200;
/** How long typed characters are collected, in ms. */
const collectTime = 10_000;

/** What takes typed text. */
export const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';
const pressable = 'button, a[href], summary, [role="menuitem"], input, select, textarea';

export function createKeys({ enabled, now }: { enabled(): boolean; now(): number }): Keys {
  /** By the part, in the order in which they were offered. */
  const offered = new Map<object, KeyLayer>();
  let layers: readonly KeyLayer[] = [];
  const { subscribe, notify } = createListeners();
  let prefix: { key: string; at: number } | null = null;
  let typed: { text: string; since: number } | null = null;

  const all = () => layers.flatMap((layer) => layer.commands);
  const find = (wanted: string) => all().find(({ keys }) => keys === wanted);
  const startsSequence = (key: string) => all().some(({ keys }) => keys?.startsWith(`${key} `));

  /** `mod k`, `c`; null for shortcuts of the browser. */
  function nameOf(event: KeyboardEvent): string | null {
    const { ctrlKey, metaKey } = event;
    const key = keyOf(event);
    if (isApple ? metaKey : ctrlKey) return event.shiftKey ? null : `mod ${key}`;
    return ctrlKey || metaKey ? null : key;
  }

  /** Letter keys do nothing in a text field, or if the user has turned shortcuts off. */
  function isOff(key: string, target: Element): boolean {
    // In a text field, Ctrl A selects its text.
    if (target.closest(typing)) return key === 'mod a' || !key.startsWith('mod ');
    if (key.startsWith('mod ')) return false;
    // Enter and Space press the focused element.
    if ((key === 'Enter' || key === ' ') && target.closest(pressable)) return true;
    return key !== 'Escape' && !enabled();
  }

  /** True if the key is part of a text that is being collected. */
  function collect(event: KeyboardEvent): boolean {
    if (!typed || now() - typed.since > collectTime) return false;
    const { key, ctrlKey, altKey, metaKey } = event;
    // Ctrl with Alt is AltGr
    const isText = key.length === 1 && !metaKey && ctrlKey === altKey;
    if (isText) typed.text += key;
    else if (key === 'Backspace') typed.text = [...typed.text].slice(0, -1).join('');
    else if (key === 'Escape') typed = null;
    else return key.length > 1;
    event.preventDefault();
    return true;
  }

  return {
    offer(part, layer) {
      if (layer) offered.set(part, layer);
      else offered.delete(part);
      const last = ({ scope }: KeyLayer) => Number(scope === 'everywhere');
      layers = [...offered.values()].toReversed().toSorted((a, b) => last(a) - last(b));
      notify();
    },
    layers: () => layers,
    subscribe,
    handle(event) {
      const target = event.target as Element;
      const key = nameOf(event);
      if (event.defaultPrevented) return;
      if (key !== saveKeys && target.ownerDocument.querySelector('dialog[open]')) return;
      if (!target.closest(typing) && collect(event)) return;
      if (event.repeat || event.altKey || key === null || isOff(key, target)) return;

      const first = prefix && now() - prefix.at <= sequenceTimeout ? prefix.key : null;
      prefix = null;
      const command = (first !== null && find(`${first} ${key}`)) || find(key);
      if (command) {
        event.preventDefault();
        command.run(event);
      } else if (startsSequence(key)) prefix = { key, at: now() };
    },
    run: (wanted) =>
      all()
        .find(({ scope, id }) => scope === 'everywhere' && id === wanted)
        ?.run(new KeyboardEvent('keydown')),
    collectTyped() {
      if (typed && now() - typed.since <= collectTime) return;
      typed = { text: '', since: now() };
    },
    takeTyped() {
      const text = typed?.text ?? '';
      typed = null;
      return text;
    },
  };
}

/** On Apple systems Cmd replaces Ctrl, because text fields use Ctrl. */
const isApple = /^(Mac|iP)/.test(navigator.platform);

const named: Record<string, string> = { Enter: '↵', Escape: 'Esc' };

/** The names on the keys: `g d` is `G` `D`, `mod k` is `Ctrl K` or `⌘ K`. */
export function keyNames(keys: string): string[] {
  if (keys.startsWith('mod ')) return [`${isApple ? '⌘' : 'Ctrl'} ${keys.slice(4).toUpperCase()}`];
  const name = named[keys];
  return name === undefined ? keys.toUpperCase().split(' ') : [name];
}

/** Saves a form, also one in a dialog. */
const saveKeys = 'mod s';

/** Presses the submit button of the focused form, or of the only form with fields on the page or in its dialog. */
export function saveForm({ target }: Event): void {
  const focused = target instanceof Element ? target.closest('form') : null;
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const form = focused ?? (dialog ?? document).querySelector<HTMLFormElement>('form.form');
  const submit = [...(form?.elements ?? [])].find((each) => (each as HTMLButtonElement).type === 'submit');
  (submit as HTMLButtonElement | undefined)?.click();
}

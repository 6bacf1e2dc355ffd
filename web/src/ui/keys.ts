/**
 * Single-key shortcuts. A page registers what works on it; what was registered last is asked first. Off while typing,
 * on key repeat, together with Ctrl, Alt or Cmd, and behind a dialog.
 */
export type KeyBindings = Record<string, (event: KeyboardEvent) => void>;

export interface Keys {
  /** `c`, `/`, `Escape`, or a sequence, `g d`. Returns how to take them back. */
  register(bindings: KeyBindings): () => void;
  handle(event: KeyboardEvent): void;
}

/** How long the first key of a sequence waits for its second, in ms. */
const patience = 1200;

const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';
const pressable = 'button, a[href], summary, [role="menuitem"], input, select, textarea';

export function createKeys({ enabled, now }: { enabled(): boolean; now(): number }): Keys {
  const layers: KeyBindings[] = [];
  let prefix: { key: string; at: number } | null = null;

  const find = (keys: string) => layers.findLast((layer) => layer[keys])?.[keys];
  const startsSequence = (key: string) =>
    layers.some((layer) => Object.keys(layer).some((keys) => keys.startsWith(`${key} `)));

  return {
    register(bindings) {
      layers.push(bindings);
      return () => {
        layers.splice(layers.indexOf(bindings), 1);
      };
    },
    handle(event) {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as Element;
      if (target.closest(typing) || target.ownerDocument.querySelector('dialog[open]')) return;
      // Enter and Space press what has the focus
      if ((event.key === 'Enter' || event.key === ' ') && target.closest(pressable)) return;
      // Esc leaves a place and is no letter that one types by mistake: it works even with shortcuts off
      if (event.key !== 'Escape' && !enabled()) return;

      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const first = prefix && now() - prefix.at <= patience ? prefix.key : null;
      prefix = null;
      const act = (first !== null && find(`${first} ${key}`)) || find(key);
      if (act) {
        event.preventDefault();
        act(event);
      } else if (startsSequence(key)) prefix = { key, at: now() };
    },
  };
}

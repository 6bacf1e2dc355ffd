import { touch } from '../browser/media.ts';

/** In px. A smaller change of height is the browser's toolbar. */
const leastHeight = 120;

/**
 * Sets `data-keyboard` on the page while an on-screen keyboard is open, so that bars make room. `--keyboard` is the height
 * that it covers: 0 if the browser makes the page smaller instead. Returns a function that stops it.
 *
 * A field that loses the focus changes nothing, because the keyboard closes later. A tap moves the focus before its click:
 * a change of layout between them would lose the click.
 */
export function followKeyboard(): () => void {
  const view = globalThis.visualViewport;
  if (!view) return () => {};
  const root = document.documentElement;
  let tallest = { width: 0, height: 0 };
  const isEditing = () => document.activeElement?.matches('input, textarea') ?? false;
  const update = () => {
    // Without the scale, zooming in with two fingers would look like a keyboard.
    const height = view.height * view.scale;
    if (innerWidth !== tallest.width) tallest = { width: innerWidth, height };
    tallest.height = Math.max(tallest.height, height);
    const isOpen = isEditing() && matchMedia(touch).matches && tallest.height - height > leastHeight;
    root.toggleAttribute('data-keyboard', isOpen);
    root.style.setProperty('--keyboard', `${isOpen ? Math.max(0, Math.round(innerHeight - height)) : 0}px`);
  };
  const onFocus = () => isEditing() && update();
  update();
  view.addEventListener('resize', update);
  document.addEventListener('focusin', onFocus);
  return () => {
    view.removeEventListener('resize', update);
    document.removeEventListener('focusin', onFocus);
  };
}

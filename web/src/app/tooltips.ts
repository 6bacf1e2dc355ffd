/**
 * Shows the title of a button or a link of one icon on hover, on keyboard focus, and while a finger rests on it: browsers
 * themselves show a title to a mouse only.
 */
import { ignoreClick } from '../ui/buttons/long-press.ts';
import './tooltips.css';

const titled = 'button[title], a[title]';
/** In ms, also of a finger. */
const showAfter = 500;
/** In ms, after the finger has left. */
const readFor = 1500;
/** The distance from the control and from the edge of the screen, in px. */
const gap = 6;

export function showTooltips(): () => void {
  const tip = document.body.appendChild(document.createElement('div'));
  tip.className = 'tooltip';
  // Browsers that do not know hints take it as a manual popover, which is the same here.
  tip.setAttribute('popover', 'hint');
  // The control has the same name.
  tip.ariaHidden = 'true';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: { control: HTMLElement; title: string; said: string } | null = null;

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    const { control, title, said } = shown;
    shown = null;
    tip.hidePopover();
    control.removeAttribute(said);
    // Another one, or none, may have been set meanwhile.
    if (control.getAttribute('title') === '') control.title = title;
  }
  /** Returns whether it is shown. */
  function show(control: HTMLElement): boolean {
    const { title } = control;
    if (!title || !control.isConnected) return false;
    // With an empty title, the browser shows no second tooltip. The title stays the name, or the description beside a
    // name of its own.
    const isNamed = control.matches('[aria-label], [aria-labelledby]') || control.textContent.trim() !== '';
    const said = isNamed ? 'aria-description' : 'aria-label';
    shown = { control, title, said };
    control.setAttribute(said, title);
    control.title = '';
    tip.textContent = title;
    tip.showPopover();
    place(tip, control);
    return true;
  }
  function showSoon(control: HTMLElement | null, then?: () => void) {
    if (control && shown?.control === control) return;
    hide();
    if (!control) return;
    timer = setTimeout(() => {
      if (show(control)) then?.();
    }, showAfter);
  }
  const controlAt = ({ target }: Event) => {
    if (!(target instanceof Element)) return null;
    return shown?.control.contains(target) ? shown.control : target.closest<HTMLElement>(titled);
  };

  const stop = new AbortController();
  const on = <Type extends keyof DocumentEventMap>(type: Type, listener: (event: DocumentEventMap[Type]) => void) =>
    document.addEventListener(type, listener, { capture: true, passive: true, signal: stop.signal });
  on('pointerover', (event) => event.pointerType === 'mouse' && showSoon(controlAt(event)));
  on('focusin', (event) => {
    const control = controlAt(event);
    showSoon(control?.matches(':focus-visible') ? control : null);
  });
  on('pointerdown', (event) => {
    hide();
    const control = event.pointerType === 'touch' ? controlAt(event) : null;
    // The browser has a menu of its own for a link.
    if (control instanceof HTMLButtonElement) showSoon(control, ignoreClick);
  });
  on('pointerup', () => {
    clearTimeout(timer);
    if (shown) timer = setTimeout(hide, readFor);
  });
  // A press may change the title. A key and a screen reader press without a pointer.
  for (const type of ['focusout', 'pointercancel', 'scroll', 'click'] as const) on(type, hide);
  on('keydown', ({ key }) => key === 'Escape' && hide());
  return () => {
    stop.abort();
    hide();
    tip.remove();
  };
}

/** Below the control, or above it if there is no room. */
function place(tip: HTMLElement, control: HTMLElement): void {
  const at = control.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = at.bottom + gap;
  const top = below + height > innerHeight - gap ? at.top - gap - height : below;
  const left = Math.min(Math.max(gap, at.left + (at.width - width) / 2), innerWidth - width - gap);
  // CSS zoom, which enlarges the wall, also scales these lengths.
  const zoom = tip.currentCSSZoom ?? 1;
  tip.style.top = `${Math.max(gap, top) / zoom}px`;
  tip.style.left = `${left / zoom}px`;
}

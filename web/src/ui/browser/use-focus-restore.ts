import { useEffect, useRef, type FocusEvent } from 'react';
import { useStableFunctions } from './stable-functions.ts';

/**
 * Calls `restore` when the focused element was removed from an area, and nothing else has the focus. The area may have
 * been removed too. Returns what to spread on the area.
 */
export function useFocusRestore(restore: () => void) {
  const watched = useRef<{ target: Element; area: Element; observer: MutationObserver } | null>(null);
  const stop = () => {
    watched.current?.observer.disconnect();
    watched.current = null;
  };
  const watch = (target: Element, area: Element) => {
    stop();
    const observer = new MutationObserver(check);
    observer.observe(area, { childList: true, subtree: true });
    watched.current = { target, area, observer };
  };
  const { check } = useStableFunctions({
    check() {
      if (!watched.current || watched.current.target.isConnected) return;
      const { area } = watched.current;
      const { activeElement } = document;
      stop();
      if (activeElement === document.body) restore();
      // A dialog that was removed has returned the focus. React has no event for it.
      else if (activeElement && area.contains(activeElement)) watch(activeElement, area);
    },
  });
  // Other components move the focus when they are removed, or after a change of page.
  useEffect(() => () => void setTimeout(check), [check]);
  return {
    onFocus: ({ target, currentTarget }: FocusEvent) => watch(target, currentTarget),
    // React does not call this for a removed element.
    onBlur: stop,
  };
}

/**
 * For an area beside the page: when its focused element was removed, the focus returns to the element that had it
 * before, or else to the page. Returns what to spread on the area.
 */
export function useFocusReturn() {
  const before = useRef<Element | null>(null);
  const { onFocus, onBlur } = useFocusRestore(() => {
    const target = before.current?.isConnected ? before.current : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  });
  return {
    onFocus(event: FocusEvent) {
      onFocus(event);
      if (!event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget;
    },
    onBlur,
  };
}

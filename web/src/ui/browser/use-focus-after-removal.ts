import { useEffect, useRef } from 'react';

/** Moves the focus to the returned ref when the focused element was removed by a change of `what`. */
export function useFocusAfterRemoval<Target extends HTMLElement>(what: unknown) {
  const target = useRef<Target>(null);
  useEffect(() => {
    if (what && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [what]);
  return target;
}

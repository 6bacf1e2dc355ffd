import { useEffect, useRef } from 'react';

/** Moves the focus to `what` when the focused element has been replaced by it. */
export function useFocusKept<Place extends HTMLElement>(what: unknown) {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (what && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [what]);
  return place;
}

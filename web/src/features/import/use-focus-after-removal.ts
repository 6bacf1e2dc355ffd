import { useEffect, useRef } from 'react';

/** Moves the focus to the returned ref when the focused element was removed by a change of `what`. */
export function useFocusAfterRemoval<Place extends HTMLElement>(what: unknown) {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (what && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [what]);
  return place;
}

import { useEffect, useRef } from 'react';

/** What had the focus is gone, because `what` came in its place: the focus goes to that. */
export function useFocusKept<Place extends HTMLElement>(what: unknown) {
  const place = useRef<Place>(null);
  useEffect(() => {
    if (what && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [what]);
  return place;
}

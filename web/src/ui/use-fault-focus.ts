import { useEffect, useRef } from 'react';

/** Moves the focus to the first invalid field after a failed submit. `faults` must be a new object each time. */
export function useFaultFocus(faults: object) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return form;
}

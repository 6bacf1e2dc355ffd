import { useEffect, useRef } from 'react';

/** After a refused submit the focus goes to the first field that is wrong. `faults` is a new object each time. */
export function useFaultFocus(faults: object) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return form;
}

import { useEffect } from 'react';

/** While something is not saved, the browser asks before it closes or reloads the page. */
export function useUnloadQuestion(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [dirty]);
}

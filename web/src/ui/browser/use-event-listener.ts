import { useEffect, useEffectEvent } from 'react';

type EventMap = DocumentEventMap & WindowEventMap;

/**
 * Listens to events of `target` while the component is mounted, and calls the latest `listener`. Does nothing while
 * there is no target.
 */
export function useEventListener<Type extends keyof EventMap>(
  target: EventTarget | null | undefined,
  types: Type | readonly Type[],
  listener: (event: EventMap[Type]) => void,
  { capture = false, passive }: AddEventListenerOptions = {},
): void {
  const call = useEffectEvent(listener);
  const names = [types].flat().join(' ');
  useEffect(() => {
    const stop = new AbortController();
    for (const name of names.split(' ')) {
      target?.addEventListener(name, (event) => call(event as EventMap[Type]), {
        capture,
        ...(passive !== undefined && { passive }),
        signal: stop.signal,
      });
    }
    return () => stop.abort();
  }, [target, names, capture, passive]);
}

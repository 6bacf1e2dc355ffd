import { useCallback } from 'react';
import { useSearchParams } from '../../../ui/router.tsx';
import type { Box } from '../../../api/query-keys.ts';

/** What the inbox shows is what its URL says: which box, what is searched, of which device, and what is selected. */
export function useInboxUrl() {
  const [params, setParams] = useSearchParams();
  const write = useCallback(
    (changes: Record<string, string | null>, { replace = true } = {}) => {
      const next = new URLSearchParams(globalThis.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      setParams(next, { replace });
    },
    [setParams],
  );
  const box: Box = params.get('tab') === 'sent' ? 'sent' : 'received';
  return {
    box,
    q: params.get('q') ?? '',
    resource: params.get('resource') ?? undefined,
    selected: params.get('sel'),
    /** The page is drawn a moment after its URL has changed: a key pressed in that moment means what the URL says. */
    selectedNow: () => new URLSearchParams(globalThis.location.search).get('sel'),
    search: (q: string) => write({ q }),
    allDevices: () => write({ resource: null }),
    /** On a phone an invitation is a place of its own, that one goes back from. */
    select: (id: string | null, options?: { replace: boolean }) => write({ sel: id }, options),
  };
}

import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryKeys } from '../../api/query-keys.ts';
import type { MapQuestion } from './map.api.ts';
import type { StoredMap } from './stored-map.ts';

/** While the server cannot be reached: the map of what this browser has stored, for the view as it is now. Null otherwise. */
export function useStoredMap({ filters, viewport }: MapQuestion, isAway: boolean): StoredMap | null {
  const client = useQueryClient();
  const [stored, setStored] = useState<StoredMap | null>(null);
  const question = JSON.stringify({ filters, viewport });
  useEffect(() => {
    const asked = JSON.parse(question) as MapQuestion;
    if (!isAway || !asked.viewport) return undefined;
    const view = { client, filters: asked.filters, viewport: asked.viewport };
    const ended = new AbortController();
    const draw = async () => {
      const { storedMap } = await import('./stored-map.ts');
      if (!ended.signal.aborted) setStored(storedMap(view));
    };
    // Without its code, the symbols of the last response stay.
    const show = () => void draw().catch(() => undefined);
    show();
    // An edit that waits moves a device.
    const unsubscribe = client.getQueryCache().subscribe(
      notifyManager.batchCalls(({ type, query }) => {
        if (type === 'updated' && query.queryKey[0] === queryKeys.devices.all[0]) show();
      }),
    );
    return () => {
      ended.abort();
      unsubscribe();
    };
  }, [client, isAway, question]);
  return isAway ? stored : null;
}

import { notifyManager, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { beginsWith, idIn } from '../../data/cache/key-parts.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { useOutbox } from '../../data/outbox/outbox.ts';
import { waitingDevices } from '../../data/outbox/waiting-devices.ts';
import { userOf } from '../../data/of-client.ts';
import type { MapQuestion } from './map.api.ts';
import { storedMap, type StoredMap } from './stored-map.ts';

interface StoredMapSourceProps {
  question: MapQuestion;
  onChange: (map: StoredMap | null) => void;
}

const isList = (key: QueryKey) =>
  beginsWith(key, queryKeys.devices.all) || idIn(key, queryKeys.swarm.members) !== undefined;

/** Reports the map of what this browser has stored, for the view as it is now. It is there while the server cannot be reached. */
export function StoredMapSource({ question, onChange }: StoredMapSourceProps): null {
  const client = useQueryClient();
  const asked = JSON.stringify(question);
  const report = useEffectEvent(onChange);
  const entries = useOutbox(userOf(client));
  useEffect(() => {
    const { filters, viewport } = JSON.parse(asked) as MapQuestion;
    if (!viewport) return undefined;
    const show = () => report(storedMap({ client, filters, viewport, waiting: waitingDevices(client, entries) }));
    show();
    // An edit that waits moves a device, and members end.
    return client.getQueryCache().subscribe(
      notifyManager.batchCalls(({ type, query }) => {
        if (type === 'updated' && isList(query.queryKey)) show();
      }),
    );
  }, [client, asked, entries]);
  return null;
}

import type { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent, Resource } from '@swarmdeck/bff/contract';
import { isMapShown, readResourceAgain } from './resource-writes.api.ts';
import { changedAt, resourceQuery } from './resources.api.ts';

/**
 * What one event of the stream means for devices. The device that is open is changed at once; lists, counts and map
 * are asked for again through `ask`, which holds back what comes too fast. Rows keep their place (device-fresh.ts).
 */
export function applyResourceEvent({
  client,
  event,
  ask,
}: {
  client: QueryClient;
  event: GatewayEvent;
  ask: (what: 'devices' | 'map' | 'account') => void;
}): void {
  switch (event.type) {
    case 'map.changed':
      if (isMapShown({ client, audience: (event.data as { audience: string }).audience })) ask('map');
      ask('devices');
      break;
    case 'resource.updated':
      changeOpen(client, { resource: event.data as Resource, at: event.at });
      ask('devices');
      ask('map');
      break;
    case 'resource.destroyed':
      // whoever reads it again learns that it is gone
      readResourceAgain({ client, id: (event.data as { id: string }).id });
      askForCounts();
      break;
    case 'resource.created':
      askForCounts();
      break;
    default:
  }

  function askForCounts() {
    ask('devices');
    ask('map');
    ask('account');
  }
}

/** Its ETag stays the older one: a save finds out, reads once more and merges. */
function changeOpen(client: QueryClient, { resource, at }: { resource: Resource; at: string }) {
  client.setQueryData(
    resourceQuery(resource.id).queryKey,
    (read) => read && (changedAt(read.resource) < changedAt(resource) ? { ...read, resource, at } : read),
  );
}

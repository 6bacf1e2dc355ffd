import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { queryKeys } from '../data/cache/query-keys.ts';
import { GuestPage } from '../features/share-links/guest-page.tsx';
import { useGuestMap } from '../features/share-links/guest-parts.ts';
import { lazyPart } from '../ui/lazy.tsx';

const PlaceMap = lazyPart(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

/** The page of a link that shows a device, for people without an account. The code of the link is in the fragment. */
export function Component() {
  const code = useLocation().hash.slice(1);
  const client = useQueryClient();
  // The tiles of the map are for users.
  useState(() => client.setQueryDefaults(queryKeys.tiles, { enabled: false }));
  return <GuestPage key={code} code={code} map={<GuestMap />} />;
}

function GuestMap() {
  return <PlaceMap {...useGuestMap()} readOnly fillsPage onChange={() => undefined} />;
}

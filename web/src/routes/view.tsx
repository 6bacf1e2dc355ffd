import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { GuestPage } from '../features/share-links/guest-page.tsx';
import { useGuestMap, useGuestSwarmMap } from '../features/share-links/guest-parts.ts';
import { t } from '../text/text.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';

const PlaceMap = lazyPart(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

const SharedMap = lazyPart(async () => (await import('../features/map/shared-map.tsx')).SharedMap);

/** Without what another program has added: a bracket or a full stop behind it, or parameters. */
const linkCode = /[\w-]{32}/;

/** The page of a link that shows a device or a swarm, for people without an account. The code of the link is in the fragment. */
export function Component() {
  const { hash } = useLocation();
  const code = linkCode.exec(hash)?.[0] ?? hash.slice(1);
  const [client] = useState(createGuestClient);
  return (
    <QueryClientProvider client={client}>
      <GuestPage key={code} code={code} map={<GuestMap />} swarmMap={<GuestSwarmMap />} />
    </QueryClientProvider>
  );
}

/** Requests nothing: all that a guest sees is in the stream, and the tiles of the map are for users. */
const createGuestClient = () => new QueryClient({ defaultOptions: { queries: { enabled: false } } });

function GuestMap() {
  return <PlaceMap {...useGuestMap()} readOnly fillsPage onChange={() => undefined} />;
}

function GuestSwarmMap() {
  return <SharedMap label={t.share_links.guest.title_of_many} {...useGuestSwarmMap()} />;
}

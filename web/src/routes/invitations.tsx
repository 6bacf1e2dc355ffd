import { lazy, Suspense } from 'react';
import { InboxPage } from '../features/invitations/inbox-page.tsx';

const PlaceMap = lazy(async () => ({ default: (await import('../features/map/place-map.tsx')).PlaceMap }));

const unmoved = () => undefined;

export function Component() {
  return (
    <InboxPage
      renderMap={(props) => (
        <Suspense>
          <PlaceMap {...props} readOnly onChange={unmoved} />
        </Suspense>
      )}
    />
  );
}

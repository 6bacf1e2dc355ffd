import { DeletedSwarms } from '../features/account/activity/deleted-swarms.tsx';
import { InboxPage } from '../features/invitations/inbox/inbox-page.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const PlaceMap = lazyPart(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

const unmoved = () => undefined;

export function Component() {
  return (
    <InboxPage
      renderMap={(props) => <PlaceMap {...props} readOnly onChange={unmoved} />}
      deletedSwarms={<DeletedSwarms />}
    />
  );
}

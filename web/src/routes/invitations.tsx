import { InboxPage } from '../features/invitations/inbox-page.tsx';
import { late } from '../ui/late.tsx';

const PlaceMap = late(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

const unmoved = () => undefined;

export function Component() {
  return <InboxPage renderMap={(props) => <PlaceMap {...props} readOnly onChange={unmoved} />} />;
}

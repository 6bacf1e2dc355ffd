import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../features/account/account.api.ts';
import { UnfinishedImport } from '../features/import/job/unfinished-import.tsx';
import { SavedViewsButton } from '../features/saved-views/saved-views.tsx';
import { HomeFoot } from '../features/start/home-foot.tsx';
import { CopyCode } from '../features/swarms/invite/copy-code.tsx';

export { StartPanel } from '../features/start/start-panel.tsx';

/** On a phone it stands among quiet buttons. */
export function SavedViews({ swarms, phone }: { swarms: readonly { id: string; name: string }[]; phone: boolean }) {
  return <SavedViewsButton swarms={swarms} look={phone ? 'quiet' : 'plain'} />;
}

/** What stands below the list of devices, once there is time for it. */
export function Foot({ device, ...props }: { device: string | undefined; count: number; roomy: boolean }) {
  const user_id = useQuery(accountQuery).data?.user_id;
  if (!user_id) return null;
  return (
    <>
      <HomeFoot {...props} copyCode={device && <CopyCode user_id={user_id} resource_id={device} />} />
      <UnfinishedImport user_id={user_id} />
    </>
  );
}

import type { SwarmItem } from '@swarmdeck/bff/contract';
import { useHomeFoot } from '../features/devices/home/use-home-foot.ts';
import { HomeFoot } from '../features/start/home-foot.tsx';
import { useIsStarting } from '../features/start/next-steps.tsx';
import { swarmListQuery } from '../features/swarms/swarms.api.ts';
import { usePagedQuery } from '../data/cache/paged-query.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';

const CopyCode = lazyPart(async () => (await import('../features/swarms/invite/copy-code.tsx')).CopyCode);

/** Whether the user owns it or has a device in it. Those who only manage or watch it are not in it. */
const isIn = ({ relation, own }: SwarmItem) => relation === 'owner' || Object.values(own).some((count) => count > 0);

/** What is below the list of the home page. */
export function Foot({ user_id }: { user_id: string }) {
  const foot = useHomeFoot();
  const isStarting = useIsStarting(foot?.count ?? 0);
  const { query, rows: swarms } = usePagedQuery({ ...swarmListQuery(''), enabled: isStarting });
  // Without them, the first step is not known.
  if (!foot || (isStarting && query.isPending)) return null;
  const { device } = foot;
  const copyCode = device && <CopyCode user_id={user_id} device={device} />;
  return <HomeFoot {...foot} hasSwarm={query.isLoadingError || swarms.some(isIn)} copyCode={copyCode} />;
}

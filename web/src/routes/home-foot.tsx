import { useHomeFoot } from '../features/devices/home/use-home-foot.ts';
import { HomeFoot } from '../features/start/home-foot.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const CopyCode = lazyPart(async () => (await import('../features/swarms/invite/copy-code.tsx')).CopyCode);

/** What is below the list of the home page. */
export function Foot({ user_id }: { user_id: string }) {
  const foot = useHomeFoot();
  if (!foot) return null;
  const { device } = foot;
  return <HomeFoot {...foot} copyCode={device && <CopyCode user_id={user_id} resource_id={device.id} />} />;
}

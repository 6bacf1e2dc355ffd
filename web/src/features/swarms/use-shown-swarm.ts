import type { SwarmItem } from '@swarmdeck/bff/contract';
import { shareProps } from '../../shared/share-page.tsx';

interface ShownSwarm {
  swarm: SwarmItem;
  /** The signed-in user. */
  user_id: string;
}

/** The swarm of the page. */
export const [ShownSwarmProvider, useShownSwarm] = shareProps<ShownSwarm>('useShownSwarm');

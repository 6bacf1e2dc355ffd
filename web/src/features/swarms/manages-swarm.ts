import type { SwarmItem } from '@swarmdeck/bff/contract';

/** Whether the user owns the swarm or manages it for its owner. */
export const managesSwarm = ({ relation }: Pick<SwarmItem, 'relation'>) =>
  relation === 'owner' || relation === 'manager';

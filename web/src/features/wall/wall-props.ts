import type { ReactNode } from 'react';
import type { WallView } from '@swarmdeck/bff/contract';
import type { Wall } from './use-wall.ts';
import type { LegendProps } from './wall-legend.tsx';

/** The swarm of a wall and its owner. */
export interface WallSwarm {
  id: string;
  name: string;
  user_id: string;
}

/** Props shared by everything on the wall's map. */
export interface WallParts {
  wall: Wall;
  audience: string;
  /** Null for all devices that the user can see. */
  swarm: WallSwarm | null;
  /** The page that the Leave button links to. */
  leaveTo: string;
  /** The button of the saved views, which another feature renders. */
  views: ReactNode;
  legend: LegendProps;
  /** Undefined until they are known. */
  counts: WallView | undefined;
}

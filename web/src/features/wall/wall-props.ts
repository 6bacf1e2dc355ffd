import type { ReactNode } from 'react';
import type { WallView } from '@swarmdeck/bff/contract';
import type { Wall } from './use-wall.ts';
import type { LegendProps } from './wall-legend.tsx';

/** Of a swarm's members: whose, and by whom. */
export interface WallSwarm {
  id: string;
  name: string;
  user_id: string;
}

/** Props shared by everything on the wall's map. */
export interface WallParts {
  wall: Wall;
  audience: string;
  /** Null: everything that the user may see. */
  swarm: WallSwarm | null;
  /** The page that the Leave button links to. */
  leaveTo: string;
  /** The button with the saved views, of another feature. */
  views: ReactNode;
  legend: LegendProps;
  /** Undefined until they are known. */
  counts: WallView | undefined;
}

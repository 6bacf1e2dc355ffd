/** The swarm of a wall and its owner. */
interface WallSwarm {
  id: string;
  name: string;
  user_id: string;
}

/** Whose devices the wall shows. */
export interface WallPlace {
  audience: string;
  /** Null for all devices that the user can see. */
  swarm: WallSwarm | null;
  /** The page that the Leave button links to. */
  leaveTo: string;
}

import type { MachineType } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/** The fields of a swarm for every user who can see that it exists. */
export interface SwarmCard {
  id: string;
  user_id: string;
  name: string;
  description: string;
  public: boolean;
  member_count: number;
}

/** A swarm for a list or the head of its page. */
export interface SwarmItem extends SwarmCard {
  created_at: string;
  /** The caller's relation; `guest`: invited to it, or it is public. */
  relation: 'owner' | 'member' | 'guest';
  /** For its owner and members. `changed_at`: the last change of a member; null if there is none. */
  members: {
    machine_type: Record<MachineType, number>;
    resource_type: Record<MemberRole, number>;
    changed_at: string | null;
  } | null;
  /** The caller's own devices in the swarm, by role. */
  own: Record<MemberRole, number>;
  /** Open sent invitations, for its owner; `stale` as on the board. */
  invitations: { new: number; stale: number } | null;
}

/**
 * `GET /api/swarm-list?q=&relation=owner|member&cursor=&limit=`; one of them: `GET /api/swarms/:id/overview`, with
 * the service's `ETag`. `q` is words, as in the search for devices. Each must be in the name, the
 * description or the owner's name, or, from eight characters on, begin the id.
 */
export interface SwarmList {
  /** Owned ones first, then by name. */
  items: SwarmItem[];
  next: string | null;
  total: number;
  /** The counts of all matches of `q`. */
  owned: number;
  joined: number;
  at: string;
}

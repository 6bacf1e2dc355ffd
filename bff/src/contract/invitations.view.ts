import type { Invitation, InvitationRole } from './invitations.schema.ts';
import type { MachineType, Position } from './resources.schema.ts';
import type { SwarmCard } from './swarms.view.ts';

export type InvitationState = Invitation['status'] | 'answered' | 'stale';

/** The filters of lists of invitations, with the names of the query parameters. */
export interface InvitationFilters {
  /** `answered`: accepted or rejected. `stale`: new, and sent before `stale_before` of the response. */
  state?: InvitationState;
  /**
   * Words, as in the search for devices. Each must match the other user's name, the swarm's name, the device's name if
   * the caller can see it, or, from eight characters on, the beginning of the device's id.
   */
  q?: string;
  swarm?: string;
  resource?: string;
}

/** An invitation with its swarm and its device. */
export interface InvitationItem extends Invitation {
  /** The time of the answer, or of sending while it is new. Lists are ordered by it, open ones first. */
  changed_at: string;
  swarm: SwarmCard;
  /**
   * Null for the owner if the device is destroyed. Null for the sender if they cannot see the device: they can while it
   * is in a swarm that they own or have a device in.
   */
  device: { name: string; machine_type: MachineType; position?: Position } | null;
}

/** The counts of all matches of the other filters. `stale` ones are also counted as new. */
export type InvitationCounts = Record<Invitation['status'] | 'stale', number>;

/** `GET /api/inbox?box=received|sent`, and `GET /api/swarms/:id/board` for the swarm's owner. */
export interface InvitationPage {
  /** Open ones first, newest first; then answered ones, latest answer first. */
  items: InvitationItem[];
  next: string | null;
  total: number;
  counts: InvitationCounts;
  stale_before: string;
  at: string;
}

/** `GET /api/inbox/count`. */
export interface InboxCount {
  received: InvitationCounts;
  sent: InvitationCounts;
  at: string;
}

/** `GET /api/inbox/summary`, with the filters of the inbox: the swarms and devices of all matches. */
export interface InboxSummary {
  total: number;
  /** The number of distinct devices. */
  devices: number;
  swarms: (SwarmCard & Record<InvitationRole, number>)[];
  at: string;
}

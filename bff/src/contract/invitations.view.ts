import type { Invitation, InvitationRole } from './invitations.schema.ts';
import type { MachineType, Position } from './resources.schema.ts';
import type { SwarmCard } from './swarms.view.ts';

export type InvitationState = Invitation['status'] | 'answered' | 'stale';

/** What lists of invitations are filtered by: the query names of inbox and board. */
export interface InvitationFilters {
  /** `answered`: accepted or rejected. `stale`: new, and sent before `stale_before` of the answer. */
  state?: InvitationState;
  /**
   * Words, as in the search for devices. Each must be in the other side's user name, the swarm's name or the device's
   * name if the caller may see it, or, from eight characters on, begin the device's id.
   */
  q?: string;
  swarm?: string;
  resource?: string;
}

/** An invitation, and what a screen shows beside it. */
export interface InvitationItem extends Invitation {
  /** When it was answered; sent, while it is new. What lists are ordered by, open ones first. */
  changed_at: string;
  swarm: SwarmCard;
  /**
   * Null for its owner: it is destroyed. Null for the sender: it is not theirs to see, which it is while the device
   * is in a swarm that the sender owns or has a device in.
   */
  device: { name: string; machine_type: MachineType; position?: Position } | null;
}

/** Of all that match the other filters. `stale` ones are among the new. */
export type InvitationCounts = Record<Invitation['status'] | 'stale', number>;

/** `GET /api/inbox?box=received|sent`, and `GET /api/swarms/:id/board` for the swarm's owner. */
export interface InvitationPage {
  /** Open ones first, the newest first; then by answer, the last first. */
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

/** `GET /api/inbox/summary`, with the filters of the inbox: what answering all that match is about. */
export interface InboxSummary {
  total: number;
  /** Each once, also where it is asked for twice. */
  devices: number;
  swarms: (SwarmCard & Record<InvitationRole, number>)[];
  at: string;
}

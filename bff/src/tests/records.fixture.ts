/**
 * The records of capabilities, as far as tests of several capabilities read them: these compile also without the capability, whose own
 * types are in its `contract.ts`.
 */
import type { Invitation, MemberRole, Resource, SwarmSummary } from '../contract.ts';
import type { ManagerRole } from '../core/limits/field-rules.ts';

export type { ManagerRole };

export interface JoinLink {
  id: string;
  swarm_id: string;
  name: string;
  resource_type: MemberRole;
  expires_at?: string;
  max_resources?: number;
  joined: number;
  url: string;
  created_at: string;
  ended_at?: string;
}

export interface JoinOffer {
  id: string;
  pass: string;
  resource_type: MemberRole;
  expires_at?: string;
  resources_left?: number;
  swarm: SwarmSummary;
}

export interface JoinRequest {
  id: string;
  swarm_id: string;
  swarm_name: string;
  user_id: string;
  resource_id: string;
  resource_name: string;
  machine_type: Resource['machine_type'];
  resource_type: MemberRole;
  message?: string;
  ends_at?: string;
  asked_at: string;
  status: Exclude<Invitation['status'], 'withdrawn'>;
  answered_at?: string;
}

export interface Manager {
  swarm_id: string;
  user_id: string;
  role: ManagerRole;
  status: 'asked' | 'agreed';
  asked_at: string;
  agreed_at?: string;
  ends_at?: string;
  offered_at?: string;
}

export interface SwarmOffer {
  role: ManagerRole | 'owner';
  offered_at: string;
  ends_at?: string;
  swarm: SwarmSummary;
}

export type Offer =
  | SwarmOffer
  | { role: 'owner'; offered_at: string; with_history: boolean; resource: Pick<Resource, 'id' | 'user_id' | 'name'> };

import type { MachineType } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/**
 * `GET /api/wall?audience=`: what a wall says of all devices of an audience, whatever its map shows of them.
 * `GET /api/devices/:id?audience=` is one of them, a Device, or a Member of the swarm.
 */
export interface WallView {
  total: number;
  unplaced: number;
  machine_type: Record<MachineType, number>;
  /** Where the audience is a swarm. */
  resource_type?: Record<MemberRole, number>;
  /** How many changed within a minute before `at`. */
  changed: number;
  /** When the last change of all was; null: there was none. */
  newest: string | null;
  /** Server time of the answer. */
  at: string;
  /** As in a MapView: nothing to say yet. */
  building?: number;
}

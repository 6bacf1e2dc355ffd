import type { MachineType } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/**
 * `GET /api/wall?audience=`: the counts of all devices of an audience, independent of the map's filters. `GET
 * /api/devices/:id?audience=` is one of them: a Device, or a Member of the swarm.
 */
export interface WallView {
  total: number;
  unplaced: number;
  machine_type: Record<MachineType, number>;
  /** Only if the audience is a swarm. */
  resource_type?: Record<MemberRole, number>;
  /** The number of devices that changed in the minute before `at`. */
  changed: number;
  /** The time of the last change; null if there was none. */
  newest: string | null;
  /** Server time of the answer. */
  at: string;
  /** As in a MapView: the progress while there are no counts yet. */
  building?: number;
}

/** `GET /api/demo`: the existing demo objects of the caller. */
export interface Demo {
  there: boolean;
  /** The names of demo users with devices and swarms. They cannot sign in. */
  partners: string[];
  /** Ids of the caller's own devices. */
  resources: string[];
  swarms: string[];
}

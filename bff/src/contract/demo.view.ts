/** `GET /api/demo`: the existing demo objects of the caller. */
export interface Demo {
  there: boolean;
  /** The names of users with devices and swarms, as whom nobody can sign in. */
  partners: string[];
  /** Ids of the caller's own devices. */
  resources: string[];
  swarms: string[];
}

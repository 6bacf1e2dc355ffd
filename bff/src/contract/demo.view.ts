/** `GET /api/demo`: what was made for the caller to look at and is still there. */
export interface Demo {
  there: boolean;
  /** Names of users who cannot sign in, and have devices and swarms of their own. */
  partners: string[];
  /** Ids of the caller's own. */
  resources: string[];
  swarms: string[];
}

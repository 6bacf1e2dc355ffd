/** `GET /api/account`. */
export interface Account {
  user_id: string;
  created_at: string;
  resources: number;
  swarms_owned: number;
  /**
   * The usage of each quota. `members` are those of the user's largest swarm, `invitations` the open ones that the user
   * has sent. `allowed`: null for no limit.
   */
  quotas: Record<
    'resources' | 'swarms' | 'members' | 'invitations' | 'keys' | 'saved_views' | 'streams',
    { used: number; allowed: number | null }
  >;
  /** The end of this session if it is not used. */
  session_expires_at: string;
}

/** A key without its secret. `last_used_on` is a day, `2026-01-02`. */
export interface ApiKey {
  id: string;
  name: string;
  ends_in: string;
  created_at: string;
  last_used_on?: string;
}

/** The response to the creation of a key, the only one with its secret. */
export interface CreatedApiKey extends ApiKey {
  key: string;
}

export interface Session {
  id: string;
  user_agent: string;
  created_at: string;
  active_at: string;
  current: boolean;
}

/**
 * A filter and a map view that a user has saved under a name. `url` is a path of the app: `/`, `/map` or
 * `/swarms/<id>/map`, with the parameters of that page in a fixed order.
 */
export interface SavedView {
  id: string;
  name: string;
  url: string;
  /** The swarms in `url` that the caller can see. */
  swarms: { id: string; name: string }[];
  created_at: string;
  updated_at: string;
}

/** `GET /api/saved-views`; POST `{name, url}` (201), PUT `/api/saved-views/:id` `{name?, url?}`, DELETE (204). */
export interface SavedViews {
  /** By name. */
  items: SavedView[];
  /** The maximum number of views; null for no limit. */
  limit: number | null;
}

/** `GET /api/demo`: the existing demo objects of the caller. */
export interface Demo {
  there: boolean;
  /** The names of demo users with devices and swarms. They cannot sign in. */
  partners: string[];
  /** Ids of the caller's own devices. */
  resources: string[];
  swarms: string[];
}

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

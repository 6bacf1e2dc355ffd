/**
 * A filter and a map view that its user keeps under a name. `url` is the app's own, from the first slash on: `/`,
 * `/map` or `/swarms/<id>/map` with parameters of that page, in one order and none that says nothing.
 */
export interface SavedView {
  id: string;
  name: string;
  url: string;
  /** Those that `url` names, as far as the caller sees them. */
  swarms: { id: string; name: string }[];
  created_at: string;
  updated_at: string;
}

/** `GET /api/saved-views`; POST `{name, url}` (201), PUT `/api/saved-views/:id` `{name?, url?}`, DELETE (204). */
export interface SavedViews {
  /** By name. */
  items: SavedView[];
  /** How many there may be; null: no limit. */
  limit: number | null;
}

/** Filters and views of the map that a user keeps under a name. */
import type { Declaration } from '../../core/declaration.ts';
import { inReader, write, written } from '../../core/limits/operation-rows.ts';
import type { NamedItem } from '../actions/action-types.ts';

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

declare module '../actions/action-types.ts' {
  interface ActionKinds {
    delete_view: { about: object; item: NamedItem };
  }
}

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/saved-views': SavedViews;
  }
}

export const savedViewsRows = {
  limits: {
    'GET /api/saved-views': inReader,
    'POST /api/saved-views': written,
    'PUT /api/saved-views/:id': written,
    'DELETE /api/saved-views/:id': write,
  },
  quotas: {
    saved_views: {
      who: 'user',
      what: 'saved views',
      most: 200,
      problem: ['saved_view.too_many', 'An account can have up to {allowed} saved views. Delete some first.'],
      table: 'saved_views',
    },
  },
  problems: {
    'saved_view.name_taken': [409, 'You already have a view with this name', 'app'],
    'saved_view.not_found': [404, 'View not found', 'app'],
    'saved_view.too_many': [409, 'This account has reached the limit of saved views', 'app'],
  },
  tablesOfUser: ['saved_views'],
} as const satisfies Declaration;

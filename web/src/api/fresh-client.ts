import { QueryClient } from '@tanstack/react-query';
import type { InvalidateOptions, InvalidateQueryFilters, Query } from '@tanstack/react-query';

/**
 * An answer that is on its way when something is to be read anew may be the older one. The library lets go of it where
 * there is one before it, but waits for the very first: here that one is read once more as soon as it has come. It is
 * not let go of, because where news come faster than answers there would never be any.
 */
export class FreshClient extends QueryClient {
  readonly #again = new Set<Query>();

  override async invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined && !this.#again.has(query));
    await Promise.all([super.invalidateQueries(filters, options), ...first.map((query) => this.#readAgain(query))]);
  }

  async #readAgain(query: Query): Promise<void> {
    this.#again.add(query);
    await query.promise?.catch(() => undefined);
    this.#again.delete(query);
    if (query.state.data !== undefined) await super.invalidateQueries({ predicate: (each) => each === query });
  }
}

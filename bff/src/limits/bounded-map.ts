/** A map with at most `most` keys: a new key replaces the one that was set least recently. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    // Deleted first, because a Map keeps the order of insertion.
    if (!this.delete(key) && this.size >= this.#most) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}

/** A map whose values have at most the size `most` together; a new one replaces those that were set least recently. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  /** Without `sizeOf`, the map has at most `most` keys. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    super();
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  override set(key: Key, value: Value): this {
    // Deleted first, because a Map keeps the order of insertion.
    this.delete(key);
    this.#size += this.#sizeOf(value);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.#size <= this.#most) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (value !== undefined) this.#size -= this.#sizeOf(value);
    return super.delete(key);
  }

  override clear(): void {
    this.#size = 0;
    super.clear();
  }
}

/** How many of something there are now, for each key. */
export class Counts extends Map<string, number> {
  of(key: string): number {
    return this.get(key) ?? 0;
  }

  /** Returns the new count. */
  change(key: string, more: number): number {
    const count = this.of(key) + more;
    if (count === 0) this.delete(key);
    else this.set(key, count);
    return count;
  }
}

/** A set of values for each key, without empty sets. */
export class SetsByKey<Value> extends Map<string, Set<Value>> {
  of(key: string): Iterable<Value> {
    return this.get(key) ?? [];
  }

  add(key: string, value: Value): void {
    const values = this.get(key);
    if (values) values.add(value);
    else this.set(key, new Set([value]));
  }

  remove(key: string, value: Value): void {
    const values = this.get(key);
    values?.delete(value);
    if (values?.size === 0) this.delete(key);
  }
}

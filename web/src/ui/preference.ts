interface Preference<Value extends string> {
  get(): Value;
  set(value: Value): void;
  subscribe(changed: () => void): () => void;
}

interface CreatePreferenceOptions<Value extends string> {
  key: string;
  values: readonly [Value, ...Value[]];
}

/**
 * A preference stored in this browser and shared by its tabs. The first value is the default and is not stored. If the
 * storage is off, the preference lasts as long as the page.
 */
export function createPreference<const Value extends string>({
  key,
  values,
}: CreatePreferenceOptions<Value>): Preference<Value> {
  const listeners = new Set<() => void>();
  const read = (): Value => {
    try {
      const stored = localStorage.getItem(key);
      return values.find((value) => value === stored) ?? values[0];
    } catch {
      return values[0];
    }
  };
  let current = read();
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key !== key) return;
    current = read();
    for (const changed of listeners) changed();
  });
  return {
    get: () => current,
    set(value) {
      current = value;
      try {
        if (value === values[0]) localStorage.removeItem(key);
        else localStorage.setItem(key, value);
      } catch {
        // private windows of some browsers have no storage
      }
      for (const changed of listeners) changed();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

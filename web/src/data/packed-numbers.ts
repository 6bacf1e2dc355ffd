/**
 * Packs integers into variable-length bytes (LEB128): seven bits per byte, lowest first; the eighth bit says that more
 * bytes follow. Signed integers are zigzag-encoded (0, -1, 1, -2, ...), so that small absolute values stay small.
 */
export function packNumbers(bytes: number[]) {
  function put(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return { put, putSigned: (value: number) => put(value < 0 ? -2 * value - 1 : 2 * value) };
}

/** Reads numbers that `packNumbers` has written, from `start` on. `at` is the offset of the next number. */
export function unpackNumbers(bytes: Uint8Array, start: number) {
  let at = start;
  function next(): number {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at++]!;
      value += (byte % 128) * place;
      if (byte < 128) return value;
    }
  }
  function nextSigned(): number {
    const value = next();
    return value % 2 === 0 ? value / 2 : (value + 1) / -2;
  }
  return { next, nextSigned, at: () => at };
}

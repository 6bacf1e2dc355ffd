/**
 * Whole numbers in as few bytes as each needs: seven bits a byte, the lowest first, and an eighth that says that more
 * come. Signed ones take turns, 0, -1, 1, -2 …, so that small steps either way stay small.
 */
export function packNumbers(bytes: number[]) {
  function put(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return { put, putSigned: (value: number) => put(value < 0 ? -2 * value - 1 : 2 * value) };
}

/** Reads what `packNumbers` has written, one after the other from `start` on; `at` is where the next one begins. */
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

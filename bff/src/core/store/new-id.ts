import { randomUUIDv7 } from 'node:crypto';

const mostCounted = 0xfff;

/**
 * Creates UUIDs of version 7. Up to 4,096 of one millisecond are in the order of their creation, like those of different
 * milliseconds: the 12 bits after the version are a counter (RFC 9562, 6.2, method 1).
 */
export function createIdSource(uuid: () => string = randomUUIDv7): () => string {
  /** The time, in the first 13 characters of the last id. */
  let time = '';
  let count = 0;
  return () => {
    const id = uuid();
    const now = id.slice(0, 13);
    // The clock may be set back.
    if (now > time) {
      time = now;
      count = 0;
    } else count = (count + 1) & mostCounted;
    return `${time}-7${count.toString(16).padStart(3, '0')}${id.slice(18)}`;
  };
}

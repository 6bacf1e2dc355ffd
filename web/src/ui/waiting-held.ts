import type { Waiting } from './waiting.ts';

/** One for each place where things wait, which is one: what is sent goes on while one looks at other pages. */
export function onePerWaiting<Given extends { waiting: Waiting }, Held>(make: (given: Given) => Held) {
  const known = new WeakMap<Waiting, Held>();
  return (given: Given): Held => {
    const held = known.get(given.waiting) ?? make(given);
    known.set(given.waiting, held);
    return held;
  };
}

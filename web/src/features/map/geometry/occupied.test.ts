import fc from 'fast-check';
import { expect, it } from 'vitest';
import { covers, overlaps } from './boxes.ts';
import { Occupied } from './occupied.ts';

const at = fc.integer({ min: -300, max: 900 });
const size = fc.integer({ min: 1, max: 200 });
const box = fc
  .tuple(at, at, size, size)
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));
const spot = fc.record({ x: at, y: at, radius: fc.integer({ min: 1, max: 90 }) });

it('finds the same free boxes as a linear search', () => {
  fc.assert(
    fc.property(fc.array(box), fc.array(spot), fc.array(box), (boxes, spots, others) => {
      const occupied = new Occupied();
      for (const one of boxes) occupied.addBox(one);
      for (const one of spots) occupied.addSpot(one);
      for (const one of others) {
        const free = !boxes.some((other) => overlaps(other, one)) && !spots.some((other) => covers(other, one));
        expect(occupied.isFree(one)).toBe(free);
      }
    }),
  );
});

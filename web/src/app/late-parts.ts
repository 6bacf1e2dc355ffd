import { keepPlaceAfterTurn } from './place-after-turn.ts';
import { showTooltips } from './tooltips.ts';

/** Parts that a page does not need at first. Returns a function that ends them. */
export function startLateParts(): () => void {
  const ends = [showTooltips(), keepPlaceAfterTurn()];
  return () => ends.forEach((end) => end());
}

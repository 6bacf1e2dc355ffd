import { keepPlaceAfterTurn } from './place-after-turn.ts';
import { showTooltips } from './tooltips.ts';

/** What a page does without until it has loaded. Returns a function that ends it. */
export function startLateParts(): () => void {
  const ends = [showTooltips(), keepPlaceAfterTurn()];
  return () => ends.forEach((end) => end());
}

/** A part of a page, and how far down in it the user reads, from 0 to 1. */
interface Place {
  part: Element;
  at: number;
}

/** Parts that stay in the document while a phone is turned. */
const parts = 'section, fieldset, form > *';
/** How far down on the screen the user reads, from 0 to 1. */
const readAt = 1 / 3;

/**
 * When a phone is turned, what the user reads stays on the screen: the parts of a page get other heights and places, and a browser keeps
 * only how far the page was scrolled. Returns a function that ends it.
 */
export function keepPlaceAfterTurn(): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  let place: Place | null = null;
  let width = innerWidth;
  let isTurning = false;
  // The page has its new layout in the next frame, and charts their new sizes in the one after.
  function follow(frames: number): void {
    if (place?.part.isConnected) show(place);
    isTurning = frames > 0;
    if (isTurning) requestAnimationFrame(() => follow(frames - 1));
  }
  function turn(): void {
    // A keyboard that opens changes only the height.
    if (innerWidth === width) return;
    width = innerWidth;
    isTurning = true;
    requestAnimationFrame(() => follow(2));
  }
  addEventListener('resize', turn, { signal });
  const note = () => {
    if (!isTurning) place = placeOnScreen();
  };
  document.addEventListener('scroll', note, { signal, capture: true, passive: true });
  return () => ends.abort();
}

function placeOnScreen(): Place | null {
  const y = innerHeight * readAt;
  const part = document.elementFromPoint(innerWidth / 2, y)?.closest(`main :is(${parts})`);
  if (!part) return null;
  const { top, height } = part.getBoundingClientRect();
  return { part, at: (y - top) / height };
}

function show({ part, at }: Place): void {
  const { top, height } = part.getBoundingClientRect();
  scrollerOf(part).scrollBy({ top: top + at * height - innerHeight * readAt, behavior: 'instant' });
}

/** What scrolls this element: a part of the page around it, or the whole page. */
function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at;
  }
  return document.documentElement;
}

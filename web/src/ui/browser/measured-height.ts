import { onNewPage } from '../../data/new-page.ts';

type Property = `--${string}`;

/** A ref that calls `set` with each height of its element, in px, and with 0 once it is gone. */
const onHeight = (set: (height: number) => void) => (element: HTMLElement | null) => {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() => set(element.offsetHeight));
  sizes.observe(element);
  return () => {
    sizes.disconnect();
    set(0);
  };
};

/** Nothing is set for 0. */
const write = ({ style }: HTMLElement, property: Property, height: number) =>
  style.setProperty(property, height === 0 ? '' : `${height}px`);

/**
 * A ref that sets the height of its element as a CSS property of the page, unless it is 0. At each change, the browser computes
 * the styles of all elements again.
 */
export const pageHeightAs = (property: Property) =>
  onHeight((height) => write(document.documentElement, property, height));

/** What is above others at the end of the window. */
const notices = new Set<HTMLElement>();
const heights = new Map<Property, number>();
onNewPage(() => {
  notices.clear();
  heights.clear();
});

/** The same as a property of those that have the ref `readsHeights`. */
export const heightAs = (property: Property) =>
  onHeight((height) => {
    heights.set(property, height);
    for (const notice of notices) write(notice, property, height);
  });

/** A ref of an element whose styles read the heights of what is below it at the end of the window. */
export function readsHeights(element: HTMLElement | null) {
  if (!element) return undefined;
  notices.add(element);
  for (const [property, height] of heights) write(element, property, height);
  return () => void notices.delete(element);
}

type Ref = ReturnType<typeof onHeight>;

/** A ref that is both. */
export const bothRefs =
  (one: Ref, other: Ref): Ref =>
  (element) => {
    const ends = [one(element), other(element)];
    return () => ends.forEach((end) => end?.());
  };

/** A ref that sets the height of its element as a CSS property of the page. */
export const heightAs = (property: `--${string}`) => (element: HTMLElement | null) => {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() =>
    document.documentElement.style.setProperty(property, `${element.offsetHeight}px`),
  );
  sizes.observe(element);
  return () => sizes.disconnect();
};

/** A ref that sets the height of its element as a CSS property of the page, while it is there. */
export const heightAs = (property: `--${string}`) => (element: HTMLElement | null) => {
  if (!element) return undefined;
  const { style } = document.documentElement;
  const sizes = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`));
  sizes.observe(element);
  return () => {
    sizes.disconnect();
    style.removeProperty(property);
  };
};

/**
 * Stylesheets that failed to load. Vite requests the stylesheet of a module once and never again, so that a module
 * whose second attempt succeeds would have no styles.
 */
const lost = new Set<HTMLLinkElement>();

globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target);
  },
  // Error events of elements do not bubble.
  true,
);

/** Requests them again. A stylesheet that fails again delays nothing. */
export async function fetchLostStyles(): Promise<void> {
  const again = [...lost].map((link) => {
    lost.delete(link);
    const next = link.cloneNode() as HTMLLinkElement;
    const arrival = new Promise((resolve) => {
      next.addEventListener('load', resolve);
      next.addEventListener('error', resolve);
    });
    link.replaceWith(next);
    return arrival;
  });
  await Promise.all(again);
}

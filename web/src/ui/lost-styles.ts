/**
 * Stylesheets that did not arrive. Vite asks for the stylesheet of a part once and never again, so that a part whose
 * second try succeeds would stand there without it.
 */
const lost = new Set<HTMLLinkElement>();

globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target);
  },
  // errors of elements do not bubble
  true,
);

/** Asks for them again. One that does not arrive this time either holds nobody up. */
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

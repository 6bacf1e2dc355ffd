/**
 * Scrolls to the control that Tab has moved the focus to. Browsers do that only for a control that is completely out of
 * view, and leave one as it is of which a few pixels can be seen.
 */
export function keepFocusInView(): void {
  let isTab = false;
  document.addEventListener('keydown', ({ key }) => (isTab = key === 'Tab'), { capture: true });
  document.addEventListener('focusin', ({ target }) => {
    if (isTab && target instanceof Element) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    isTab = false;
  });
}

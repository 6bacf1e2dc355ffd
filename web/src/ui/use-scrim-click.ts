import { useEffect, useEffectEvent } from 'react';
import type { RefObject } from 'react';

/**
 * Calls `onClick` for a click on the scrim of a modal dialog. It waits for the click, because after closing on
 * pointerdown the rest of a tap would press what is below. The click must also begin there: text that is selected with
 * the mouse may end on the scrim.
 */
export function useScrimClick(dialog: RefObject<HTMLDialogElement | null>, onClick: () => void) {
  const clicked = useEffectEvent(onClick);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    let began = false;
    const onPointerDown = ({ target }: Event) => {
      began = target === element;
    };
    const onElementClick = ({ target }: Event) => {
      if (began && target === element) clicked();
    };
    element.addEventListener('pointerdown', onPointerDown);
    element.addEventListener('click', onElementClick);
    return () => {
      element.removeEventListener('pointerdown', onPointerDown);
      element.removeEventListener('click', onElementClick);
    };
  }, [dialog]);
}

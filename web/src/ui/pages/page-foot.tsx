import type { ReactNode } from 'react';
import { heightAs } from '../browser/measured-height.ts';
import './page-parts.css';

/** For the last part of a page, which stays visible while the others scroll. Notices are above it. */
export const pageFoot = heightAs('--page-foot');

/** Also tells itself and what it is in its height, for the styles of a footer that is too high to stay visible. */
function measured(element: HTMLElement) {
  const stop = pageFoot(element);
  const readers = [element, element.parentElement];
  const sizes = new ResizeObserver(() => {
    for (const reader of readers) reader?.style.setProperty('--foot-height', `${element.offsetHeight}px`);
  });
  sizes.observe(element);
  return () => {
    sizes.disconnect();
    for (const reader of readers) reader?.style.removeProperty('--foot-height');
    stop?.();
  };
}

/** The footer of a page, with its buttons. */
export function PageFoot({ className, children }: { className: string; children: ReactNode }) {
  return (
    <footer ref={measured} className={`page-foot ${className}`}>
      {children}
    </footer>
  );
}

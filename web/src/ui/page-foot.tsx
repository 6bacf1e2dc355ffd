import type { ReactNode } from 'react';
import { heightAs } from './measured-height.ts';
import './page-parts.css';

/** For the last part of a page, which stays visible while the others scroll. Notices are above it. */
export const pageFoot = heightAs('--page-foot');

/** The footer of a page, with its buttons. */
export function PageFoot({ className, children }: { className: string; children: ReactNode }) {
  return (
    <footer ref={pageFoot} className={`page-foot ${className}`}>
      {children}
    </footer>
  );
}

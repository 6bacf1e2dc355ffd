import type { ReactNode } from 'react';
import './tag.css';

/** A small label beside a name, such as "Public". */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag numbers">{children}</span>;
}

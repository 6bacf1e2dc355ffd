import type { ReactNode } from 'react';
import './tag-list.css';

/** Short facts beside one another, each a `<li>` in a box of its own that cuts what is too long. */
export function TagList({ children }: { children: ReactNode }) {
  return <ul className="tag-list">{children}</ul>;
}

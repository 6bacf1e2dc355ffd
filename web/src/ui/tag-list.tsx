import type { ReactNode } from 'react';
import './tag-list.css';

/** Short facts side by side, each a `<li>`. Long ones are truncated. */
export function TagList({ children }: { children: ReactNode }) {
  return <ul className="tag-list">{children}</ul>;
}

import type { ReactNode } from 'react';
import './tag.css';

/** A quiet word beside a name: that a swarm is public, how many are in it. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className="tag numbers">{children}</span>;
}

import type { ReactNode } from 'react';

/** Somebody else's text within our sentence: its direction is its own and disturbs nothing around it. */
export function Bdi({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}

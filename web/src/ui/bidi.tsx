import type { ReactNode } from 'react';

/** Isolates text of other users within a sentence, so that its direction does not affect the text around it. */
export function Bdi({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}

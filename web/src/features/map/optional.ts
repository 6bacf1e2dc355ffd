import type { ComponentType } from 'react';
import { late } from '../../ui/late.tsx';

/** A part that a map does without where its file does not arrive, rather than take the page down. */
export function optional<P extends object>(load: () => Promise<ComponentType<P>>) {
  return late(() => load().catch((): ComponentType<P> => () => null));
}

import { lazy } from 'react';
import type { ComponentType } from 'react';

/** A part that a map does without where its file does not arrive, rather than take the page down. */
export function optional<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await load().catch((): ComponentType<P> => () => null) }));
}

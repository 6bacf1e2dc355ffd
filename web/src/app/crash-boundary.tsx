import { Component } from 'react';
import type { ReactNode } from 'react';
import { LoadError } from '../ui/lazy-part.tsx';
import { Crashed } from './crashed.tsx';

/** A page that fails, or cannot be loaded, is replaced by a message; the rest of the app stays. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <Crashed loading={error instanceof LoadError} />;
  }
}

import { Component } from 'react';
import type { ReactNode } from 'react';
import { LoadError } from '../ui/lazy.tsx';
import { Crashed } from './crashed.tsx';

/** A page that fails, or cannot be loaded, is replaced by a message; the rest of the app stays. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Crashed failedToLoadAt={error instanceof LoadError ? error.failedAt : null} />;
  }
}

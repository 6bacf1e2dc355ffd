import { Component } from 'react';
import type { ReactNode } from 'react';
import { Crashed } from './crashed.tsx';

/** A page that fails, or does not arrive, takes only itself down. */
export class CrashBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Crashed /> : this.props.children;
  }
}

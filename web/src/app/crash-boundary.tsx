import { Component } from 'react';
import type { ReactNode } from 'react';
import { t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/** A page that fails takes only itself down. Retry draws it again, and fetches what did not arrive. */
export class CrashBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const retry = () => this.setState({ failed: false });
    return (
      <div role="alert">
        <Empty level={1} icon="warning" title={t.shell.crash.title} text={t.shell.crash.text}>
          <Button onClick={retry}>{t.shell.crash.retry}</Button>
        </Empty>
      </div>
    );
  }
}

import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import './print-sheet.css';

/** Prints only this. */
export function printSheet(content: ReactNode): void {
  const host = document.createElement('div');
  host.className = 'print-sheet';
  document.body.append(host);
  const root = createRoot(host);
  flushSync(() => root.render(content));
  addEventListener(
    'afterprint',
    () => {
      root.unmount();
      host.remove();
    },
    { once: true },
  );
  globalThis.print();
}

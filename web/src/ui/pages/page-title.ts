import { useEffect } from 'react';
import { inOrder } from '../../text/isolate.ts';

/** Sets the title of the document: the number of open invitations, then the page's name. */
const shown = { title: '', badge: '' };

function write(change: Partial<typeof shown>) {
  const { title, badge } = Object.assign(shown, change);
  document.title = `${badge}${title === '' ? '' : `${title} · `}Swarmdeck`;
}

/** Names the page in the window's title. The name may be that of a record of another user. */
export function usePageTitle(title: string): void {
  useEffect(() => write({ title: inOrder(title) }), [title]);
}

/** `3` makes it `(3) Devices · Swarmdeck`. */
export function useTitleBadge(count: string): void {
  useEffect(() => write({ badge: count && `(${count}) ` }), [count]);
}

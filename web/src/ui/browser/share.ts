import { t } from '../../text/text.ts';
import type { MenuItem } from '../dialogs/menu.tsx';

export const canShare = () => 'share' in navigator;

/** Opens the share dialog of the system. */
export function share(data: { title: string; url: string }): void {
  // Rejects if the user cancels.
  navigator.share(data).catch(() => undefined);
}

/** The menu item that shares a page, if the browser can. It belongs beside one that copies the link. */
export const shareItems = (data: { title: string; url: string }): MenuItem[] =>
  canShare() ? [{ id: 'share', label: t.shell.kit.share, icon: 'send', onSelect: () => share(data) }] : [];

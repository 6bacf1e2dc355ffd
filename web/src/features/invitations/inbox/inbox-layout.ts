import type { ComponentType, ReactNode, RefObject } from 'react';
import type { VirtualListHandle } from '../../../ui/lists/list-sections.ts';
import type { RowHeights } from '../../../ui/lists/row-height.ts';
import type { SetUrlState } from '../../../ui/urls/url-state.ts';
import type { InboxUrl } from './inbox-url.ts';

export interface BesideProps {
  /** The small map of the device of the open invitation. */
  deviceMap: ReactNode;
}

/**
 * What a phone's inbox does differently from a desk's: `phoneInbox` (inbox-phone.tsx) and `deskInbox` (inbox-desk.tsx). The page
 * chooses between them, and its parts and hooks read what was chosen.
 */
export interface InboxLayout {
  /** The parts beside the list, or instead of it. */
  Beside: ComponentType<BesideProps>;
  /** Of an open invitation in the list. */
  rowHeights: RowHeights;
  /** A key that moves the focus to a row opens its invitation. */
  opensOnMove: boolean;
  /** Buttons show the keys that do the same, if keys are enabled. */
  hasKeys: boolean;
  /** Whether the list is shown while this invitation is open. */
  isListShown(selected: string | null): boolean;
  open(id: string, setUrl: SetUrlState<InboxUrl>): void;
  /** Leaves the open invitation. */
  close(setUrl: SetUrlState<InboxUrl>): void;
  /** The invitation that shortcuts apply to. `focused`: the one whose row has the focus. */
  idNow(of: { selected: string | null; focused: string | null }): string | null;
  /** Whether a key answers this invitation. Otherwise, another one is read beside the list, and it is opened first, for its terms. */
  isAnsweredByKey(of: { id: string; selected: string | null }): boolean;
  /** Moves the focus to the invitation that a key has opened. */
  focusOpened(id: string, focus: { list: RefObject<VirtualListHandle | null>; focusPane(): void }): void;
}

/** The state of a history entry of an invitation: the entry before it is the list that it was opened from. */
export const overList = { isOverList: true };
export const isOverList = () => hasState('isOverList');

/** The state of a history entry of an invitation that nobody has opened: a desk shows the first one. */
export const shownFirst = { isShownFirst: true };
export const isShownFirst = () => hasState('isShownFirst');

function hasState(name: keyof (typeof overList & typeof shownFirst)): boolean {
  return (history.state as Partial<Record<typeof name, boolean>> | null)?.[name] === true;
}

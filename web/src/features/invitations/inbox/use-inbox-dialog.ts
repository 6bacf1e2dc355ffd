import { useState } from 'react';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useIsAnswerPending } from './use-inbox-rows.ts';
import type { InboxSelection } from './use-inbox-selection.ts';
import type { OpenInvitation } from './use-open-invitation.ts';

/** About the open invitation: a choice of its end, or blocking who sent it. `review`: of the selected ones, on a phone. */
type ShownDialog = { kind: 'accept_until' | 'block'; id: string } | { kind: 'review' };

/** The open dialog of the inbox. It closes when what it is about can no longer be answered. */
export function useInboxDialog({ selection, open }: { selection: InboxSelection; open: OpenInvitation }) {
  const { count } = selection.checked;
  const { item } = open;
  const isPending = useIsAnswerPending();
  const [shown, setShown] = useState<ShownDialog | null>(null);
  const canAnswer = (id: string) => item?.id === id && item.status === 'new' && !isPending(id);
  const isOver = shown !== null && !(shown.kind === 'review' ? count > 0 : canAnswer(shown.id));
  if (isOver) setShown(null);
  return {
    shown: isOver ? null : shown,
    ...useStableFunctions({
      review: () => setShown({ kind: 'review' }),
      acceptUntil: (id: string) => setShown({ kind: 'accept_until', id }),
      block: (id: string) => setShown({ kind: 'block', id }),
      close: () => setShown(null),
    }),
  };
}

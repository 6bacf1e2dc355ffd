import { useKeys } from '../../../ui/keys-provider.tsx';
import { useAnswers } from '../answers/answers.job.tsx';
import type { Answer } from '../invitations.api.ts';
import type { Inbox } from './use-inbox.ts';

/** `Z` undoes the last pending action (app/undo-toasts.tsx). */
export function useInboxKeys(inbox: Inbox, to: { search(): void; pane(): void; map(): void }): void {
  const answers = useAnswers();
  const { url, setUrl } = inbox;
  const answer = (how: Answer) => {
    const item = inbox.itemNow();
    if (inbox.tickedItems.length > 0) inbox.answerTicked(how);
    else if (item?.status === 'new' && !answers.jobOf(item.id)) inbox.answer(how, item);
  };
  const received = url.box === 'received';
  useKeys('inbox', {
    j: () => inbox.step(1),
    k: () => inbox.step(-1),
    Enter: to.pane,
    x: (event) => {
      const item = inbox.itemNow();
      if (item?.status === 'new') inbox.toggle(item.id, event.shiftKey);
    },
    m: to.map,
    l: () => inbox.list.current?.focus(),
    '/': to.search,
    Escape: () => {
      if (inbox.ticked.size > 0) inbox.clear();
      else if (url.q !== '') setUrl({ q: '' });
    },
  });
  useKeys('received', received ? { a: () => answer('accept'), r: () => answer('reject') } : null);
}

import type { Answer } from '../../../shared/actions/answers.tsx';
import { useCommands } from '../../../ui/keys/keys-provider.tsx';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInbox } from './inbox-state.ts';
import { useIsAnswerPending } from './use-inbox-rows.ts';

/** The keys of the inbox, without `Z`, which undoes the last action anywhere (app/undo-key.tsx). It renders nothing. */
export function InboxCommands() {
  const [{ q, box }, setUrl] = useUrlState(inboxUrl);
  const { list, search, focusPane, focusMap } = useInbox('focus');
  const isPending = useIsAnswerPending();
  const { checked, check } = useInbox('selection');
  const invitations = useInbox('steps');
  const answers = useInboxAnswers();
  const { isAnsweredByKey, focusOpened } = useInbox('layout');
  const answer = (how: Answer) => {
    const item = invitations.itemNow();
    // Now: J may have just opened it.
    const { selected } = readUrl(inboxUrl);
    if (checked.isReading) return;
    if (checked.count > 0) answers.answerSelected(how);
    else if (item?.status !== 'new' || isPending(item.id)) return;
    else if (!isAnsweredByKey({ id: item.id, selected })) invitations.goTo(item.id);
    else answers.answer(how, item);
  };
  const step = (by: number) => {
    const opened = invitations.step(by);
    if (opened !== null) focusOpened(opened, { list, focusPane });
  };
  useCommands('inbox', {
    next: () => step(1),
    previous: () => step(-1),
    focus_invitation: focusPane,
    select: (event) => {
      const item = invitations.itemNow();
      if (item?.status === 'new') check.toggle(item.id, event.shiftKey);
    },
    select_all: checked.total > 0 && check.all,
    focus_map: focusMap,
    focus_list: () => list.current?.focus(),
    search: () => search.current?.focus(),
    clear: () => {
      if (checked.isActive) check.clear();
      else if (q !== '') setUrl({ q: '' });
    },
  });
  useCommands(
    'received',
    box === 'received' ? { accept: () => answer('accept'), reject: () => answer('reject') } : null,
  );
  return null;
}

import { useQueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { errorParts } from '../../api/problem.ts';
import { problemSentence, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { useWaiting } from '../../ui/use-waiting.ts';
import { deleteView, useSaveView } from './saved-views.api.ts';

/** The key under which a view waits to be deleted. */
export const deletingKey = (id: string) => `saved-view:${id}`;

/** What can be done with a view without a form. */
export function useViewActs() {
  const client = useQueryClient();
  const toasts = useToasts();
  const waiting = useWaiting();
  const copy = useCopy(t.views.not_copied);
  const save = useSaveView();
  const refused = (title: string) => (error: unknown) =>
    void toasts.show({ title, text: problemSentence(errorParts(error)), tone: 'bad' });

  return {
    /** Shows from now on what is on the screen; taken back by a button, for what it showed before is nowhere else. */
    update({ id, url: before }: SavedView, url: string) {
      const onError = refused(t.views.not_updated);
      const undo = { label: t.views.undo, onAct: () => save.mutate({ id, url: before }, { onError }) };
      const onSuccess = () => void toasts.show({ title: t.views.updated, icon: 'check', action: undo, seconds: 10 });
      save.mutate({ id, url }, { onSuccess, onError });
    },
    copyLink: ({ url }: SavedView) => copy(`${location.origin}${url}`, t.views.copied),
    remove({ id, name }: SavedView) {
      waiting.add({
        key: deletingKey(id),
        label: createElement(Rich, { text: t.views.deleting, name: createElement(Bdi, null, name) }),
        send: ({ keepalive }) => deleteView({ client, id, keepalive }),
        onRefused: refused(t.views.not_deleted),
      });
    },
    keep: ({ id }: Pick<SavedView, 'id'>) => waiting.undo(deletingKey(id)),
  };
}

export type ViewActs = ReturnType<typeof useViewActs>;

import { useQueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import type { SavedView } from '@swarmdeck/bff/contract';
import { errorParts } from '../../api/problem.ts';
import { useUndoableMutation } from '../../api/use-undoable-mutation.ts';
import { problemSentence, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { deleteView, useSaveView } from './saved-views.api.ts';

/** The key of the pending action that deletes a view. */
export const deletionKey = (id: string) => `saved-view:${id}`;

/** The actions on a view that need no form. */
export function useViewActions() {
  const client = useQueryClient();
  const toasts = useToasts();
  const copy = useCopy(t.views.not_copied);
  const save = useSaveView();
  const showError = (title: string) => (error: unknown) =>
    void toasts.show({ title, text: problemSentence(errorParts(error)), tone: 'bad' });
  const deletion = useUndoableMutation<SavedView>({
    key: ({ id }) => deletionKey(id),
    label: ({ name }) => createElement(Rich, { text: t.views.deleting, name: createElement(Bdi, null, name) }),
    mutationFn: ({ id }, { keepalive }) => deleteView({ client, id, keepalive }),
    onError: showError(t.views.not_deleted),
  });

  return {
    /**
     * Replaces the view by the current one. The toast has an Undo button, because the previous URL is stored nowhere
     * else.
     */
    update({ id, url: before }: SavedView, url: string) {
      const onError = showError(t.views.not_updated);
      const undo = { label: t.views.undo, onAction: () => save.mutate({ id, url: before }, { onError }) };
      const onSuccess = () => void toasts.show({ title: t.views.updated, icon: 'check', action: undo, seconds: 10 });
      save.mutate({ id, url }, { onSuccess, onError });
    },
    copyLink: ({ url }: SavedView) => copy(`${location.origin}${url}`, t.views.copied),
    remove: deletion.mutate,
    undoRemove: deletion.undo,
  };
}

export type ViewActions = ReturnType<typeof useViewActions>;

import { useQueryClient } from '@tanstack/react-query';
import { use } from 'react';
import type { RefObject } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import type { Rows } from '../../../api/paged-rows.ts';
import { Offline } from '../../../ui/environment.tsx';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { useAnswers } from '../answers.job.tsx';
import type { Answer } from '../answers.job.tsx';

/** Answers invitations of the inbox, and then selects the next open one. */
export function useInboxAnswers({
  open,
  list,
  phone,
  selected,
  checkedItems,
  goTo,
  clear,
}: {
  open: { rows: Rows<InvitationItem> };
  list: RefObject<VirtualListHandle | null>;
  phone: boolean;
  selected: string | null;
  checkedItems: readonly InvitationItem[];
  /** Selects a row, or on a phone returns to the list. */
  goTo(id: string | null): void;
  clear(): void;
}) {
  const client = useQueryClient();
  const answers = useAnswers();
  const offline = use(Offline);
  const isBusy = (id: string) => answers.jobOf(id) !== undefined;
  return {
    answer(answer: Answer, answered: InvitationItem) {
      if (offline) return;
      const next = rowAfterAnswer({
        rows: open.rows,
        id: answered.id,
        isBusy: (id) => isBusy(id) || answers.failureOf(id) !== undefined,
      });
      const inList = list.current !== null && list.current.focused() !== null;
      answers.add({ answer, items: [answered] });
      if (phone && selected === null) return;
      goTo(next);
      if (inList && next !== null) list.current?.focus(next);
    },
    answerChecked(answer: Answer) {
      if (offline) return;
      answers.add({ answer, items: checkedItems });
      clear();
      if (phone || selected === null || !isBusy(selected)) return;
      goTo(rowAfterAnswer({ rows: open.rows, id: selected, isBusy }));
    },
    /** Removes a row whose answer has failed permanently. */
    dismiss({ id, swarm_id }: InvitationItem) {
      answers.dismissFailure(id);
      applyOwnChanges(
        client,
        { type: 'invitation.withdrawn', data: { id, swarm_id } },
        { type: 'invitations.changed', data: {} },
      );
    },
  };
}

/** The row to select after `id` is answered: the one below, otherwise the one above, or null. */
export function rowAfterAnswer({
  rows,
  id,
  isBusy,
}: {
  rows: Pick<Rows, 'length' | 'at' | 'indexOf'>;
  id: string;
  isBusy: (id: string) => boolean;
}): string | null {
  const from = rows.indexOf(id);
  if (from < 0) return null;
  const find = (step: 1 | -1) => {
    for (let row = from + step; row >= 0 && row < rows.length; row += step) {
      const item = rows.at(row);
      if (item && !isBusy(item.id)) return item.id;
    }
    return null;
  };
  return find(1) ?? find(-1);
}

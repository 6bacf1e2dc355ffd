import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useSelectionReading } from '../../../bulk/use-selection-reading.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { noSelection, selectIds, toggle, toggleRange } from '../../../ui/lists/selection.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { useAnsweringCount } from '../inbox-count.api.ts';
import { useInboxQuery, useIsAnswerPending, type InboxRows } from './use-inbox-rows.ts';

/** The open invitations that are selected to be answered together, and selecting them. */
export function useInboxSelection({ openSide: open, isBusy }: Pick<InboxRows, 'openSide' | 'isBusy'>) {
  const { box, q, resource } = useInboxQuery();
  const isPending = useIsAnswerPending();
  const answering = useAnsweringCount(box);
  const isFiltered = q !== '' || resource !== undefined;
  /** How many of the open invitations that match are being answered. */
  const answeringHere = isFiltered ? open.rows.all().filter(({ id }) => isPending(id)).length : answering;
  // Another box or search has its own selection.
  const scope = `${box} ${q} ${resource}`;
  const [selection, setSelected] = useState(noSelection);
  const { isReading, read, stop } = useSelectionReading(scope);
  const [selectedIn, setSelectedIn] = useState(scope);
  if (selectedIn !== scope) {
    setSelectedIn(scope);
    setSelected(noSelection);
  }
  const { ids } = selection;
  // Without invitations that were answered meanwhile, or arrived later.
  const items = useMemo(() => {
    if (ids.size === 0) return [];
    const selected = open.rows.all().filter(({ id }) => ids.has(id));
    return answering === 0 ? selected : selected.filter(({ id }) => !isPending(id));
  }, [ids, open.rows, answering, isPending]);
  const { show } = useToasts();
  const last = useRef({ scope, count: 0 });
  const sayEnded = useEffectEvent(() => show({ title: t.devices.selection.ended }));
  useEffect(() => {
    if (last.current.scope !== scope && last.current.count > 1) sayEnded();
    last.current = { scope, count: items.length };
  }, [scope, items]);
  const total = Math.max(0, open.total - answeringHere);
  const clear = () => {
    stop();
    setSelected(noSelection);
  };
  return {
    checked: {
      items,
      count: items.length,
      total,
      isWhole: items.length >= total,
      isActive: ids.size > 0 || isReading,
      has: useCallback((id: string) => ids.has(id), [ids]),
      isReading,
      /** How far the open invitations are read, while all are being selected. */
      progress: isReading
        ? t.invitations.selecting(formatNumber(open.rows.length), formatNumber(open.total))
        : undefined,
    },
    check: useStableFunctions({
      toggle(id: string, range: boolean) {
        if (isBusy(id)) return;
        const order = range ? open.rows.all().map((row) => row.id) : [];
        setSelected((now) => (range ? toggleRange(now, id, order) : toggle(now, id)));
      },
      all() {
        read(async (signal) => {
          const rows = await open.loadAll(signal);
          setSelected(selectIds(rows.map(({ id }) => id)));
        }).catch(() => {
          // The list shows the error.
        });
      },
      none: clear,
      clear,
    }),
  };
}

export type InboxSelection = ReturnType<typeof useInboxSelection>;

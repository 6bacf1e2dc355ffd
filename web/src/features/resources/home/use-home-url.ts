import { useCallback, useMemo } from 'react';
import { readMapPlace } from '../../../ui/map-place.ts';
import { useSearchParams } from '../../../ui/router.tsx';
import { changeListState, readListState } from '../device-filters.ts';
import type { ListState } from '../device-filters.ts';

/** What the page shows is what its URL says: filters, order, selection and where the map was left. */
export function useHomeUrl() {
  const [params, setParams] = useSearchParams();
  // typing and moving the map write often; the page behind is the one people want to go back to
  const write = useCallback(
    (change: (params: URLSearchParams) => URLSearchParams) =>
      setParams(change(new URLSearchParams(globalThis.location.search)), { replace: true }),
    [setParams],
  );

  const text = params.toString();
  const list = useMemo(() => readListState(new URLSearchParams(text)), [text]);
  const setList = useCallback(
    (state: ListState) => write((now) => changeListState({ params: now, from: list, to: state })),
    [write, list],
  );

  const set = useCallback(
    (name: string, value: string | null) =>
      write((now) => {
        if (value === null) now.delete(name);
        else now.set(name, value);
        return now;
      }),
    [write],
  );
  const select = useCallback((id: string | null) => set('sel', id), [set]);
  const mapText = params.get('map');
  const setMap = useCallback((text: string) => set('map', text), [set]);

  return {
    list,
    setList,
    selected: params.get('sel'),
    /** As the URL has it now: the page renders a moment later, and keys may be faster. */
    selectedNow: () => new URLSearchParams(globalThis.location.search).get('sel'),
    select,
    mapText,
    mapPlace: readMapPlace(mapText),
    setMap,
  };
}

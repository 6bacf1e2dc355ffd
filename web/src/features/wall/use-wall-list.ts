import { useState } from 'react';
import { isByValue } from '../../data/filter-params.ts';
import { shareHook } from '../../ui/share-hook.tsx';
import { useWallUrl } from './use-wall-map.ts';
import type { WallListSort } from './wall.api.ts';

/** The list of the wall, its search and its order. */
export const [WallListProvider, useWallList] = shareHook(function useWallListState() {
  const [{ list: isOpen, value }, setUrl] = useWallUrl();
  const [search, setSearch] = useState('');
  const [chosen, setOrder] = useState<WallListSort>('name');
  /** The value that rows show. */
  const valueKey = value.values?.[0];
  const order = isByValue(chosen) && valueKey === undefined ? 'name' : chosen;
  return {
    isOpen,
    search,
    setSearch,
    valueKey,
    order,
    setOrder,
    toggle() {
      setUrl(({ list }) => ({ list: !list }));
      setSearch('');
    },
  };
});

import { useState } from 'react';
import { shareHook } from '../../ui/share-hook.tsx';
import { useWallUrl } from './use-wall-map.ts';

/** The list of the wall, and its search. */
export const [WallListProvider, useWallList] = shareHook(function useWallListState() {
  const [{ list: isOpen }, setUrl] = useWallUrl();
  const [search, setSearch] = useState('');
  return {
    isOpen,
    search,
    setSearch,
    toggle() {
      setUrl(({ list }) => ({ list: !list }));
      setSearch('');
    },
  };
});

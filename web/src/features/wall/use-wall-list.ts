import { useState } from 'react';
import { isByValue } from '../../data/filter-params.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { useUrlState } from '../../ui/urls/url-state.ts';
import type { WallMap } from './use-wall-map.ts';
import { wallUrl } from './wall-layers.ts';
import type { WallListSort } from './wall.api.ts';

/** The list of the wall, its search and its order. */
export function useWallList({ setUrl }: Pick<WallMap, 'setUrl'>) {
  const [{ list: isOpen, value }] = useUrlState(wallUrl);
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
    ...useStableFunctions({
      toggle() {
        setUrl(({ list }) => ({ list: !list }));
        setSearch('');
      },
    }),
  };
}

export type WallList = ReturnType<typeof useWallList>;

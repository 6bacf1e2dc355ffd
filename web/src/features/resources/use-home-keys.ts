import { useKeys } from '../../ui/keys-provider.tsx';

/** What the keys of the home screen do. */
export interface HomeKeys {
  search(): void;
  add(): void;
  /** Selects the next row, or the one before. */
  step(by: 1 | -1): void;
  open(): void;
  edit(): void;
  toMap(): void;
  toList(): void;
  fit(): void;
  escape(): void;
}

export function useHomeKeys(keys: HomeKeys): void {
  useKeys({
    '/': keys.search,
    c: keys.add,
    j: () => keys.step(1),
    k: () => keys.step(-1),
    Enter: keys.open,
    e: keys.edit,
    m: keys.toMap,
    l: keys.toList,
    f: keys.fit,
    Escape: keys.escape,
  });
}

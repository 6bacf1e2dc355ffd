import type { Device } from '@swarmdeck/bff/contract';
import { useKeys } from '../../../ui/keys-provider.tsx';

/** The actions of the shortcuts on the home screen. */
interface HomeKeys {
  selected: Device | null | undefined;
  search(): void;
  add(): void;
  /** Selects the next or the previous row. */
  step(by: 1 | -1): void;
  open(device: Device): void;
  edit(device: Device): void;
  toMap(): void;
  toList(): void;
  fit(): void;
  /** Selects the focused row, or deselects it. `range`: with all rows from the last one. */
  toggle(range: boolean): void;
  escape(): void;
}

export function useHomeKeys({ selected, ...keys }: HomeKeys): void {
  useKeys('devices', {
    '/': keys.search,
    c: keys.add,
    j: () => keys.step(1),
    k: () => keys.step(-1),
    m: keys.toMap,
    l: keys.toList,
    f: keys.fit,
    x: ({ shiftKey }) => keys.toggle(shiftKey),
    Escape: keys.escape,
  });
  useKeys('selected_device', selected ? { Enter: () => keys.open(selected), e: () => keys.edit(selected) } : null);
}

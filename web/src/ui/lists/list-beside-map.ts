import type { RefObject } from 'react';
import type { CommandId, RunsOf } from '../keys/commands.ts';

interface ListBesideMap {
  list: RefObject<{ focus(): void; focused(): string | null } | null>;
  map: RefObject<{ focus(): void; fit(): void } | null>;
  /** The id of the device that the page shows. */
  selected: string | null;
  step(by: 1 | -1): void;
  /** Selects a row, or with `range` all rows from the last selected one to it. */
  toggle(id: string, range: boolean): void;
}

type Shared = Exclude<CommandId<'members'>, 'search' | 'select_all' | 'clear'>;

/** What the commands do that each list of devices with a map has. */
export function listBesideMapRuns({ list, map, selected, step, toggle }: ListBesideMap) {
  return {
    next: () => step(1),
    previous: () => step(-1),
    select: ({ shiftKey }) => {
      const id = list.current?.focused() ?? selected;
      if (id !== null) toggle(id, shiftKey);
    },
    focus_map: () => map.current?.focus(),
    focus_list: () => list.current?.focus(),
    fit: () => map.current?.fit(),
  } satisfies Pick<RunsOf<'members'>, Shared>;
}

import { useState } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import type { Draft } from '../../../data/forms/device-fields.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useNavigationRequest } from '../../../ui/urls/use-navigation-request.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import type { SelectedDevice } from '../bulk/read-selected.ts';
import { homeUrl, withFilter, type Filters } from '../device-filters.ts';
import type { HomeList } from './use-home-list.ts';
import { useSwitchAudience } from './use-switch-audience.ts';

/** A dialog with what it starts with. */
export type ShownDialog =
  | { kind: 'add'; fill: Partial<Draft> }
  | { kind: 'export'; filters: Filters; bbox: Bbox | null }
  | { kind: 'delete'; device: Device }
  | { kind: 'selected'; command: BulkCommand<SelectedDevice> };

/** The open dialog of the home page. Other pages open some of them here. */
export function useHomeDialogs({ bbox }: Pick<HomeList, 'bbox'>) {
  const [{ filters }] = useUrlState(homeUrl);
  const switchAudience = useSwitchAudience();
  const [shown, setShown] = useState<ShownDialog | null>(null);
  const add = (fill: Partial<Draft> = {}) => setShown({ kind: 'add', fill });
  useNavigationRequest<string>('add', (name) => add(name ? { name } : {}));
  useNavigationRequest<true>('export', () => {
    // Only own devices are exported.
    if (filters.audience) switchAudience();
    setShown({ kind: 'export', filters: withFilter(filters, 'audience', undefined), bbox });
  });
  return {
    shown,
    ...useStableFunctions({
      add,
      destroy: (device: Device) => setShown({ kind: 'delete', device }),
      /** Opens the dialog of a command on the selected devices. */
      openForSelected: (command: BulkCommand<SelectedDevice>) => setShown({ kind: 'selected', command }),
      close: () => setShown(null),
    }),
  };
}

export type HomeDialogs = ReturnType<typeof useHomeDialogs>;

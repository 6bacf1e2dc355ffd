import { useRef } from 'react';
import type { Device, Position } from '@swarmdeck/bff/contract';
import type { Draft } from '../../../data/forms/device-fields.ts';
import { roundPosition, t } from '../../../text/text.ts';
import { isPinned } from '../../../ui/browser/media.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useNavigationRequest } from '../../../ui/urls/use-navigation-request.ts';
import type { HomeDialogs } from './use-home-dialogs.ts';
import type { HomeList } from './use-home-list.ts';
import type { HomeMap } from './use-home-map.ts';
import type { HomeSheet } from './use-home-sheet.ts';
import { usePlacing } from './use-placing.ts';
import type { SelectedDevice } from './use-selected-device.ts';

interface HomePlacingOptions {
  map: HomeMap;
  sheet: HomeSheet;
  list: Pick<HomeList, 'isNonePlaced'>;
  selected: Pick<SelectedDevice, 'id' | 'select'>;
  dialogs: Pick<HomeDialogs, 'add' | 'close'>;
}

/** Choosing the position of a device on the map of the home page. */
export function useHomePlacing({
  map: shownMap,
  sheet,
  list,
  selected: { id: selected, select },
  dialogs,
}: HomePlacingOptions) {
  const { flyTo, view, lookAt } = shownMap;
  const { stop, showCard, closeCard } = sheet;
  const { add, close } = dialogs;
  const { isNonePlaced } = list;
  /** Whether the sheet showed the card of a device before. */
  const hadCard = useRef(false);
  /** The sheet shows what it has shown before. */
  function leaveSheet() {
    if (!hadCard.current) closeCard();
  }
  const { placing, busy, error, start, startWith, propose, ...functions } = usePlacing({
    onDraftPlaced(at) {
      leaveSheet();
      add(at ? { latitude: String(at.latitude), longitude: String(at.longitude) } : {});
    },
    onPlaced(id, position) {
      select(id);
      lookAt({ position }, isNonePlaced);
    },
  });
  function enterSheet() {
    if (!placing) hadCard.current = selected !== null && stop === 'card';
    showCard();
  }
  const place = (device: Device) => {
    startWith(device);
    enterSheet();
    if (device.position && isPinned()) flyTo(device.position);
  };
  useNavigationRequest<Device>('place', place);
  return {
    /** Null while no device is placed. */
    placing,
    busy,
    error,
    ...useStableFunctions({
      ...functions,
      place,
      cancel() {
        functions.cancel();
        leaveSheet();
      },
      /** Closes the dialog of a new device while its position is chosen. `at` is its current position. */
      placeDraft({ name, machine_type }: Draft, at: Position | null) {
        close();
        enterSheet();
        start({
          id: '',
          name: name || t.devices.new_device,
          machine_type: machine_type ?? 'pc',
          before: null,
          at,
          proposed: isPinned() ? null : at,
        });
        if (at) flyTo(at);
      },
      /** Typed, found or located; null if what is typed is no position. */
      propose(at: Position | null) {
        if (!isPinned()) propose(at);
        if (!at) return;
        if (isPinned()) flyTo(at);
        else lookAt({ position: at });
      },
      /** A click on the map, or Enter on it. */
      proposeOnMap(at: Position, isKey: boolean) {
        if (isPinned()) flyTo(at, view?.zoom);
        else propose(roundPosition(at));
        // Enter then confirms.
        if (isKey) document.querySelector<HTMLElement>('.place-notice [type="submit"]')?.focus();
      },
    }),
  };
}

export type HomePlacing = ReturnType<typeof useHomePlacing>;

import { useRef } from 'react';
import type { Device, Position } from '@swarmdeck/bff/contract';
import type { Draft } from '../../../data/forms/device-fields.ts';
import { roundPosition, t } from '../../../text/text.ts';
import { isPinned } from '../../../ui/media.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useNavigationRequest } from '../../../ui/use-navigation-request.ts';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomeSheet } from './use-home-sheet.ts';
import { usePlacing } from './use-placing.ts';
import { useSelectedDevice } from './use-selected-device.ts';

/** Choosing the position of a device on the map of the home page. */
export const [HomePlacingProvider, useHomePlacing] = shareHook(function useHomePlacingState() {
  const { handle: map, view, lookAt } = useHomeMap();
  const { stop, showCard, closeCard } = useHomeSheet();
  const { id: selected, select } = useSelectedDevice();
  const { add, close } = useHomeDialogs();
  const { isNonePlaced } = useHomeList();
  /** Whether the sheet showed the card of a device before. */
  const hadCard = useRef(false);
  /** The sheet shows what it has shown before. */
  function leaveSheet() {
    if (!hadCard.current) closeCard();
  }
  const { placing, start, startWith, propose, ...state } = usePlacing({
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
    if (device.position && isPinned()) map.current?.flyTo(device.position);
  };
  useNavigationRequest<Device>('place', place);
  return {
    /** Null while no device is placed. */
    placing,
    ...state,
    place,
    cancel() {
      state.cancel();
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
        proposed: isPinned() ? null : at,
      });
      if (at) map.current?.flyTo(at);
    },
    /** Typed, found or located; null if what is typed is no position. */
    propose(at: Position | null) {
      if (!isPinned()) propose(at);
      if (!at) return;
      if (isPinned()) map.current?.flyTo(at);
      else lookAt({ position: at });
    },
    /** A click on the map, or Enter on it. */
    proposeOnMap(at: Position, isKey: boolean) {
      if (isPinned()) map.current?.flyTo(at, view?.zoom);
      else propose(roundPosition(at));
      // Enter then confirms.
      if (isKey) document.querySelector<HTMLElement>('.place-notice [type="submit"]')?.focus();
    },
  };
});

import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useHiddenSelection } from '../../../ui/lists/use-hidden-selection.ts';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { isListed } from '../devices.api.ts';
import type { DeviceList } from './use-device-list.ts';
import type { HomeList } from './use-home-list.ts';
import type { HomeMap } from './use-home-map.ts';
import type { HomeSheet } from './use-home-sheet.ts';

interface SelectedDeviceOptions {
  map: Pick<HomeMap, 'lookAt'>;
  sheet: Pick<HomeSheet, 'showCard' | 'closeCard'>;
  list: HomeList;
}

/** The device whose row is selected and whose card is shown. Its id is in the URL. */
export function useSelectedDevice({ map: { lookAt }, sheet: { showCard, closeCard }, list }: SelectedDeviceOptions) {
  const [url, setUrl] = useUrlState(homeUrl);
  const { rows, scroll, handle } = list;

  const select = (id: string | null) => {
    setUrl({ selected: id });
    if (id === null) closeCard();
    else showCard();
  };
  const show = (device: Device) => {
    // The phone's sheet uncovers the map first.
    flushSync(() => select(device.id));
    lookAt(device);
  };
  /** Scrolls to a device's row, or waits until it is loaded. */
  const reveal = (id: string) => {
    scroll.loadAround(id);
    handle.current?.reveal(id);
  };
  const step = useRowSteps({
    list,
    selected: url.selected,
    onSelect(device) {
      show(device);
      // Enter then opens the row that J selected instead of pressing the focused chip.
      handle.current?.focus(device.id);
    },
  });

  useHiddenSelection({
    codec: homeUrl,
    url,
    isLoading: list.status.isChanging,
    isListed: async (id) => rows.get(id) !== undefined || isListed({ filters: url.filters, id }),
    deselect: () => select(null),
  });
  // After opening a link, or on returning from the page of a device.
  const isLoaded = rows.length > 0;
  const revealSelected = useEffectEvent(() => url.selected !== null && reveal(url.selected));
  useEffect(() => {
    if (isLoaded) revealSelected();
  }, [isLoaded]);

  const functions = useStableFunctions({
    select,
    /** Selects a device and moves the map to it. */
    show,
    /** Selects a device of the map, and scrolls to its row. */
    showOnMap(id: string | null) {
      select(id);
      if (id !== null) reveal(id);
    },
    close() {
      // On a phone, the sheet shows the rows first.
      flushSync(() => select(null));
      handle.current?.focus();
    },
    /** Selects the next or the previous row. */
    step,
  });
  const { show: showBeside } = functions;
  return {
    id: url.selected,
    device: useNewestDevice({ list, id: url.selected }),
    ...functions,
    /** What shows the devices beside this one in the list. Undefined at the end of what is loaded. */
    beside: useCallback(
      ({ id }: Device) => {
        const to = (by: 1 | -1) => {
          const device = rows.get(id) && rows.at(rows.indexOf(id) + by);
          return device && (() => showBeside(device));
        };
        return { next: to(1), previous: to(-1) };
      },
      [rows, showBeside],
    ),
  };
}

export type SelectedDevice = ReturnType<typeof useSelectedDevice>;

/** Opens the page of a device; with `focus`, its name is edited. The home page is as it was when the user comes back. */
export function useOpenDevice(): (device: Device, focus?: 'name') => void {
  const [, setUrl] = useUrlState(homeUrl);
  const navigate = useNavigate();
  return ({ id }, focus) => {
    setUrl({ selected: id });
    void navigate(`/devices/${id}`, { state: { home: globalThis.location.search, focus } });
  };
}

/**
 * Initially from the list if that contains the device, then from its own query, because a filtered list is not updated
 * for a device that no longer matches. Undefined while it loads, null if it does not exist.
 */
function useNewestDevice(options: { list: Pick<DeviceList, 'changes'>; id: string | null }): Device | null | undefined {
  const { list, id } = options;
  const fetched = useQuery({ ...deviceQuery(id ?? ''), enabled: id !== null }).data;
  if (id === null) return null;
  const row = list.changes.device(id);
  return fetched === null || (fetched && !(row && row.changed_at > fetched.changed_at)) ? fetched : row;
}

interface RowBesideOptions {
  list: Pick<DeviceList, 'rows'> & {
    scroll: Pick<DeviceList['scroll'], 'start'>;
    status: Pick<DeviceList['status'], 'isChanging' | 'isOld'>;
  };
  id: string | null;
  by: 1 | -1;
}

/**
 * The row beside a device. It is the first one without a device, and if the list around the device does not contain it. `wait`: this
 * list is not loaded.
 */
export function rowBeside({ list, id, by }: RowBesideOptions): Device | 'wait' | undefined {
  const { rows, scroll, status } = list;
  if (id === null) return rows.at(0);
  if (rows.get(id)) return rows.at(rows.indexOf(id) + by);
  const { start } = scroll;
  const isAround = start !== null && 'around' in start && start.around === id;
  return isAround && !status.isChanging && !status.isOld ? rows.at(0) : 'wait';
}

/** Selects the row beside the selected one. If that is not loaded, it does so when it is. */
function useRowSteps(options: {
  list: Pick<DeviceList, 'rows' | 'scroll' | 'status'>;
  selected: string | null;
  onSelect(device: Device): void;
}): (by: 1 | -1) => void {
  const { list, selected, onSelect } = options;
  const pending = useRef<{ id: string; by: 1 | -1 }>(null);
  const stepNow = useEffectEvent((rows: DeviceList['rows']) => {
    const wanted = pending.current;
    const next = wanted && rowBeside({ list: { ...list, rows }, ...wanted });
    if (wanted === null || next === 'wait') return;
    pending.current = null;
    if (next && wanted.id === selected) onSelect(next);
  });
  useEffect(() => stepNow(list.rows), [list.rows]);

  return (by) => {
    const id = readUrl(homeUrl).selected;
    const next = rowBeside({ list, id, by });
    if (next !== 'wait') {
      if (next) onSelect(next);
    } else if (id !== null) {
      pending.current = { id, by };
      list.scroll.loadAround(id);
    }
  };
}

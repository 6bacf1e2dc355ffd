import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { ListFilters, ListHead, ListSearch, ListUnderHead } from './device-panel.tsx';
import { OverMap } from './over-map.tsx';
import { useHomePlacing } from './use-home-placing.ts';
import { useHomeStart } from './use-home-start.ts';

/** The list of the home page on a desk: a panel beside the free part of the map. */
export function DeskPanel({ views, foot }: { views: ReactNode; foot: ReactNode }) {
  return (
    <section className="floating column panel" aria-label={t.devices.list}>
      <div className="stack gap-3 panel-top">
        <ListHead menuLook="plain" add={t.devices.add} />
        <div className="panel-search">
          <ListSearch />
          {views}
        </div>
        <ListFilters />
      </div>
      <ListUnderHead />
      {foot}
    </section>
  );
}

/** The search for the place of a device comes before the map. */
export function DeskPlaceNotice() {
  return useHomePlacing().placing !== null && <OverMap />;
}

/** The card of the selected device, at the other side of the map. */
export function DeskCard() {
  const { isStarting } = useHomeStart();
  const { placing } = useHomePlacing();
  return !isStarting && placing === null && <OverMap />;
}

import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { ListFilters, ListHead, ListSearch, ListUnderHead } from './device-panel.tsx';
import { OverMap } from './over-map.tsx';
import { useHome } from './home-state.ts';

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
  return useHome('placing').placing !== null && <OverMap />;
}

/** The card of the selected device, at the other side of the map. */
export function DeskCard() {
  const { isStarting } = useHome('start');
  const { placing } = useHome('placing');
  return !isStarting && placing === null && <OverMap />;
}

import type { ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/buttons/button.tsx';
import { Sheet } from '../../../ui/sheet/sheet.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { ListFilters, ListHead, ListSearch, ListUnderHead } from './device-panel.tsx';
import { OverMap } from './over-map.tsx';
import { useHome } from './home-state.ts';
import { useOpenDevice } from './use-selected-device.ts';

/** While a device is placed, a swipe does not put away what places it. */
const staysOpen = { up() {}, down() {} };

/** The list of the home page on a phone: in a sheet over the map, with the card of the selected device instead of it. */
export function HomeSheet({ views, foot }: { views: ReactNode; foot: ReactNode }) {
  const { stop, setStop, setHeight } = useHome('sheet');
  const { id: selected, device, close } = useHome('selected');
  const { placing } = useHome('placing');
  const open = useOpenDevice();
  const showsCard = stop === 'card' && selected && !placing;
  /** A device that waits for the server has no page yet. */
  const openWhole = () => (device ? open(device) : setStop('half'));
  return (
    <Sheet
      label={t.devices.list}
      handleLabel={showsCard && device ? t.devices.card_sheet : t.devices.sheet}
      stop={stop}
      onStop={setStop}
      onHeight={setHeight}
      card={(placing || selected) && <OverMap isInSheet />}
      onCard={placing ? staysOpen : showsCard ? { up: openWhole, down: close } : undefined}
    >
      <div className="stack gap-3 panel-top">
        <SheetHead views={views} />
        <SheetSearch />
        <ListFilters />
      </div>
      <ListUnderHead />
      {foot}
    </Sheet>
  );
}

/** The title, and what leads to the search or back to the map. */
function SheetHead({ views }: { views: ReactNode }) {
  const { stop, setStop } = useHome('sheet');
  const { startSearch } = useHome('search');
  return (
    <ListHead menuLook="quiet" add={t.devices.add_short}>
      {stop === 'list' ? (
        <Button onClick={() => setStop('half')}>{t.devices.map}</Button>
      ) : (
        <IconButton look="quiet" icon="search" label={t.devices.search} onClick={startSearch} />
      )}
      {views}
    </ListHead>
  );
}

/** At the highest stop, and while a search is active. */
function SheetSearch() {
  const [{ filters }] = useUrlState(homeUrl);
  const { stop } = useHome('sheet');
  if (stop !== 'list' && filters.q === undefined) return null;
  return (
    <div className="panel-search">
      <ListSearch />
    </div>
  );
}

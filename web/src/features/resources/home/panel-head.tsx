import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { formatClock, formatNumber, t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { Bbox } from '../device-filters.ts';
import { useCopy } from '../../../ui/use-copy.ts';
import type { DeviceList } from './use-device-list.ts';
import type { HomeSelection } from './use-device-selection.ts';
import './device-panel.css';

/** "Devices 187", or "12 of 187" while something is filtered. */
function DeviceCount({ list, filtered }: { list: DeviceList; filtered: boolean }) {
  const { total, facets, building } = list;
  if (building !== undefined) {
    const percent = formatNumber(Math.round(building * 100));
    return <output className="panel-count numbers">{t.devices.counting(percent)}</output>;
  }
  if (total === undefined || !facets) return <span className="panel-count">…</span>;
  const text = filtered ? t.devices.of(formatNumber(total), formatNumber(facets.all)) : formatNumber(total);
  return (
    <output className="panel-count numbers">
      {text}
      <span className="visually-hidden"> {t.devices.unit(filtered ? facets.all : total)}</span>
    </output>
  );
}

export function PanelHead({
  list,
  filtered,
  phone,
  selection,
  view,
  onExport,
  onAdd,
  children,
}: {
  list: DeviceList;
  filtered: boolean;
  phone: boolean;
  selection: HomeSelection;
  /** The free part of the map. */
  view: Bbox | null;
  onExport(): void;
  onAdd(): void;
  /** More buttons before Add. */
  children?: ReactNode;
}) {
  const copy = useCopy(t.devices.not_copied);
  const navigate = useNavigate();
  return (
    <header className="panel-head">
      <div className="panel-title">
        <h1>{t.devices.title}</h1>
        <DeviceCount list={list} filtered={filtered} />
      </div>
      {list.asOf && !phone && <span className="panel-as-of numbers">{formatClock(list.asOf)}</span>}
      {children}
      <Menu
        label={t.devices.more}
        items={[
          { id: 'select', label: t.devices.selection.begin, icon: 'check', onSelect: selection.begin },
          {
            id: 'select_all',
            icon: 'list',
            label: t.devices.selection.all(formatNumber(list.total ?? 0)),
            disabled: !list.total,
            onSelect: selection.selectAll,
          },
          {
            id: 'select_view',
            icon: 'fit',
            label: t.devices.selection.in_view,
            disabled: view === null,
            onSelect: () => view && selection.selectWithin(view),
          },
          { id: 'import', label: t.devices.import, icon: 'upload', onSelect: () => void navigate('/import') },
          {
            id: 'export',
            label: t.devices.selection.export,
            icon: 'download',
            disabled: !list.total,
            onSelect: onExport,
          },
          { id: 'wall', label: t.devices.wall, icon: 'system', onSelect: () => void navigate('/map') },
          {
            id: 'link',
            label: t.devices.copy_link,
            icon: 'copy',
            onSelect: () => copy(location.href, t.devices.link_copied),
          },
          { id: 'reload', label: t.devices.reload, icon: 'undo', onSelect: list.reload },
        ]}
        renderTrigger={(button) => (
          <IconButton icon="more" {...(phone && { look: 'quiet' as const })} label={t.devices.more} {...button} />
        )}
      />
      <Button look="primary" icon="plus" disabled={list.asOf !== undefined} onClick={onAdd}>
        {phone || list.asOf ? t.devices.add_short : t.devices.add}
      </Button>
    </header>
  );
}

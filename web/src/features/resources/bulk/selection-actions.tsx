import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceSelectionOf } from '../../../api/device-selection.ts';
import type { DeviceSelection } from '../../../api/device-selection.ts';
import { errorParts } from '../../../api/problem.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Note } from '../../../ui/notice.tsx';
import { allSelected, selectIds } from '../../../ui/selection.ts';
import type { Bbox, Filters } from '../device-filters.ts';
import { addToSwarm } from './add-to-swarm.job.tsx';
import { deviceActions } from './bulk-actions.ts';
import './bulk.css';
import type { ActionParts, DeviceAction } from './device-action.tsx';
import { exportDevices } from './export.tsx';
import { readSelected } from './read-selected.ts';

/** The menu of actions on the selected devices. `known`: the newest state of a device in the list. */
export function SelectionActions({ count, known }: { count: number; known(id: string): Device | undefined }) {
  const selection = deviceSelectionOf({ client: useQueryClient() });
  const [action, setAction] = useState<DeviceAction | null>(null);
  return (
    <>
      <Menu
        label={t.bulk.menu}
        items={deviceActions.map((each) => ({
          id: each.name,
          label: t.bulk.actions[each.name].menu,
          icon: each.icon,
          danger: each.isDangerous,
          onSelect: () => setAction(each),
        }))}
        renderTrigger={(button) => (
          <Button size="row" look="plain" disabled={count === 0} {...button}>
            {t.bulk.menu}
            <Icon name="down" size={16} />
          </Button>
        )}
      />
      {action && <BulkDialog {...{ action, count, known }} of={selection.get()} onClose={() => setAction(null)} />}
    </>
  );
}

/** Adds one device to a swarm of the user. */
export function AddToSwarm({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <BulkDialog
      action={addToSwarm}
      of={{ ...selectIds([id]), filters: {}, isActive: false }}
      count={1}
      known={() => undefined}
      onClose={onClose}
    />
  );
}

/** Exports what a list shows. */
export function ExportList({
  filters,
  bbox,
  count,
  onClose,
}: {
  filters: Filters;
  bbox: Bbox | null;
  count: number;
  onClose(): void;
}) {
  return (
    <BulkDialog
      action={exportDevices}
      of={{ ...allSelected, filters, isActive: false }}
      bbox={bbox}
      count={count}
      known={() => undefined}
      onClose={onClose}
    />
  );
}

/** Reads the selected devices, and says what the action does to how many of them before anything is sent. */
function BulkDialog({
  action,
  of,
  bbox = null,
  count,
  known,
  onClose,
}: {
  action: DeviceAction;
  of: DeviceSelection;
  bbox?: Bbox | null;
  /** As far as it is known before the devices are read. */
  count: number;
  known(id: string): Device | undefined;
  onClose(): void;
}) {
  const client = useQueryClient();
  const selection = deviceSelectionOf({ client });
  const [wanted] = useState({ selection: of, bbox, count });
  const [read, setRead] = useState(0);
  const found = useQuery({
    queryKey: queryKeys.selectedDevices(useId()),
    queryFn: ({ signal }) => readSelected({ client, ...wanted, known, signal, onProgress: setRead }),
    // what the dialog says does not change while the user reads it
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  const { data: devices, error } = found;

  const text = t.bulk.actions[action.name];
  const gone = wanted.selection.all || !devices ? 0 : wanted.selection.ids.size - devices.length;
  if (!devices) {
    return (
      <Dialog
        size="small"
        title={text.title(wanted.count)}
        description={text.text}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t.bulk.cancel}</Button>}
      >
        {error === null ? (
          <output className="bulk-reading numbers">
            <progress
              max={wanted.count}
              value={read}
              aria-label={t.bulk.reading(formatNumber(read), formatNumber(wanted.count))}
            />
            {t.bulk.reading(formatNumber(read), formatNumber(wanted.count))}
          </output>
        ) : (
          <div role="alert">
            <Note tone="bad" icon="warning">
              {t.bulk.not_read}. {problemSentence(errorParts(error))}{' '}
              <Button size="row" busy={found.isFetching} onClick={() => void found.refetch()}>
                {t.bulk.retry}
              </Button>
            </Note>
          </div>
        )}
      </Dialog>
    );
  }
  const render = ({ concerned, fields, summary, run }: ActionParts) => (
    <Dialog
      size="small"
      {...(action.isDangerous && { role: 'alertdialog' as const })}
      title={text.title(concerned?.count || devices.length)}
      description={text.text}
      onClose={onClose}
      footer={
        <>
          <Button
            look={action.isDangerous ? 'danger-primary' : 'primary'}
            {...(action.isDangerous && { icon: 'trash' as const })}
            sends
            disabled={!concerned || concerned.count === 0}
            onClick={() => {
              run();
              if (action.isDangerous) selection.clear();
              onClose();
            }}
          >
            {text.confirm(concerned?.count ?? devices.length)}
          </Button>
          <Button data-autofocus={action.isDangerous || undefined} onClick={onClose}>
            {t.bulk.cancel}
          </Button>
        </>
      }
    >
      <div className="bulk-body">
        {fields}
        {summary}
        {concerned && (concerned.others > 0 || gone > 0 || concerned.count === 0) && (
          <output className="bulk-others">
            {concerned.count === 0 && <p>{t.bulk.none}</p>}
            {concerned.others > 0 && <p>{text.others(concerned.others)}</p>}
            {gone > 0 && <p>{t.bulk.gone(gone)}</p>}
          </output>
        )}
      </div>
    </Dialog>
  );
  return <action.Dialog devices={devices} render={render} />;
}

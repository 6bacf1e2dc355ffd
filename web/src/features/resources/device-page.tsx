import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from '../../ui/router.tsx';
import type { MachineType, Position } from '@swarmdeck/bff/contract';
import { errorParts, ProblemError } from '../../api/problem.ts';
import { problemSentence, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { phone as phoneQuery, touch, useMedia } from '../../ui/media.ts';
import { Note } from '../../ui/notice.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Rich } from '../../ui/rich.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Refusal } from './add-device.tsx';
import { DeviceFields, focusFirstError } from './device-fields.tsx';
import { draftPosition, writePosition } from './device-form.ts';
import { BackLink, DeviceHead, deviceFormId, SaveButtons } from './device-head.tsx';
import './device-page.css';
import type { ResourceRead } from './device-save.ts';
import { words } from './device-words.ts';
import { resourceQuery, resourceSwarmsQuery } from './resources.api.ts';
import { SwarmsBox } from './swarms-box.tsx';
import { useDeviceEditor } from './use-device-editor.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

const ConflictDialog = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }));
const DestroyDialog = lazy(async () => ({ default: (await import('./destroy-dialog.tsx')).DestroyDialog }));
const LeaveDialog = lazy(async () => ({ default: (await import('./leave-dialog.tsx')).LeaveDialog }));

/** What the page asks of a small map; which one, the route says. */
export interface PositionMap {
  position: Position | null;
  machine_type: MachineType;
  name: string;
  onChange(position: Position): void;
  readOnly: boolean;
  placing: boolean;
  onPlaced(): void;
}
type RenderMap = (props: PositionMap) => ReactNode;

const isGone = (error: unknown) => error instanceof ProblemError && error.problem.status === 404;

/** The page of one device. `user_id` is who looks at it. */
export function DevicePage(props: { id: string; user_id: string; renderMap: RenderMap }) {
  const read = useQuery(resourceQuery(props.id));
  usePageTitle(read.data?.resource.name ?? '');
  if (read.data) {
    return (
      <DeviceForm key={read.data.resource.id} {...props} read={read.data} destroyedElsewhere={isGone(read.error)} />
    );
  }
  return (
    <div className="device-page">
      <header className="device-head">
        <BackLink />
      </header>
      {read.isPending ? (
        <SkeletonRows count={6} badge={false} label={t.devices.loading} />
      ) : isGone(read.error) ? (
        <Empty level={1} icon="search" title={words.page.gone_title} text={words.page.gone_text}>
          <ButtonLink to="/">{words.page.all_devices}</ButtonLink>
        </Empty>
      ) : (
        <div role="alert">
          <Empty
            level={1}
            icon="cloud-off"
            title={words.page.error_title}
            text={problemSentence(errorParts(read.error))}
          >
            <Button onClick={() => void read.refetch()}>{t.devices.retry}</Button>
          </Empty>
        </div>
      )}
    </div>
  );
}

function DeviceForm({
  read,
  user_id,
  destroyedElsewhere,
  renderMap,
}: {
  read: ResourceRead;
  user_id: string;
  destroyedElsewhere: boolean;
  renderMap: RenderMap;
}) {
  const { resource } = read;
  const own = resource.user_id === user_id;
  const phone = useMedia(phoneQuery);
  const onTouch = useMedia(touch);
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const editor = useDeviceEditor(read);
  const guard = useLeaveGuard(editor.changed.length > 0);
  const [placing, setPlacing] = useState(false);
  const [destroying, setDestroying] = useState(false);
  const swarms = useQuery({ ...resourceSwarmsQuery(resource.id), enabled: own }).data?.length ?? 0;
  const { draft } = editor;
  const { latitude, longitude } = draft;
  // the same object while nobody moves it: the map goes where it is only then
  const position = useMemo(
    () => draftPosition({ name: '', machine_type: null, description: '', latitude, longitude }) ?? null,
    [latitude, longitude],
  );

  const editing = (state as { focus?: string } | null)?.focus === 'name';
  useEffect(() => {
    if (editing) form.current?.querySelector<HTMLInputElement>('[name="name"]')?.focus();
  }, [editing]);

  const save = () => focusFirstError(form.current, editor.save());
  const map = (
    <div className="device-map">
      {renderMap({
        position,
        machine_type: draft.machine_type ?? resource.machine_type,
        name: resource.name,
        onChange: ({ latitude: lat, longitude: lng }) =>
          editor.change({
            ...draft,
            ...writePosition({ latitude: Number(lat.toFixed(6)), longitude: Number(lng.toFixed(6)) }),
          }),
        readOnly: !own,
        placing,
        onPlaced: () => setPlacing(false),
      })}
      {own && (
        <p className="device-quiet">
          {placing || !position ? words.page.place_hint : onTouch ? words.page.drag_touch : words.page.drag}
        </p>
      )}
    </div>
  );

  return (
    <div className="device-page">
      <DeviceHead {...{ resource, editor, own, phone }} onDestroy={() => setDestroying(true)} />
      <div className="device-columns">
        {phone && map}
        <div className="device-main">
          {destroyedElsewhere && (
            <Note tone="bad" icon="warning">
              {words.page.gone_text}
            </Note>
          )}
          {!own && (
            <Note icon="eye">
              <Rich text={words.page.read_only} owner={<Bdi>{resource.user_id}</Bdi>} />
            </Note>
          )}
          <form
            ref={form}
            id={deviceFormId}
            className="device-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <DeviceFields
              draft={draft}
              errors={editor.errors}
              changed={editor.changed}
              readOnly={!own}
              onChange={editor.change}
              placeButton={
                <Button icon="device" aria-pressed={placing} onClick={() => setPlacing(!placing)}>
                  {words.form.on_map}
                </Button>
              }
            />
          </form>
          {editor.contested && !editor.conflict && (
            <Note tone="warn" icon="info">
              {words.page.also_elsewhere}
            </Note>
          )}
          <div role="alert">{editor.error && <Refusal error={editor.error} />}</div>
          {own && <SwarmsBox id={resource.id} user_id={user_id} />}
          {own && (
            <div className="device-destroy">
              <p className="device-quiet">{words.page.destroy_text(swarms)}</p>
              <Button look="danger" icon="trash" onClick={() => setDestroying(true)}>
                {words.page.destroy}
              </Button>
            </div>
          )}
        </div>
        {!phone && (
          <aside className="device-aside" aria-label={words.form.position}>
            {map}
            {swarms > 0 && <Note icon="eye">{words.page.seen_by(swarms)}</Note>}
          </aside>
        )}
      </div>
      {phone && own && editor.changed.length > 0 && <SaveButtons editor={editor} />}
      <Suspense>
        {editor.conflict && (
          <ConflictDialog
            found={editor.conflict}
            saving={editor.saving}
            onChoose={editor.resolve}
            onBack={editor.backToEditing}
          />
        )}
        {guard.held && <LeaveDialog fields={editor.changed.length} onStay={guard.stay} onLeave={guard.leave} />}
        {destroying && (
          <DestroyDialog
            device={resource}
            onClose={() => setDestroying(false)}
            onDestroy={() => {
              guard.release();
              navigate({ pathname: '/', search: withoutSelection((state as { home?: string } | null)?.home) });
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The list as it was left, but for the device that is going. */
function withoutSelection(search = ''): string {
  const params = new URLSearchParams(search);
  params.delete('sel');
  return params.toString();
}

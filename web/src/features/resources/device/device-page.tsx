import { useQuery, useQueryClient } from '@tanstack/react-query';
import { cachedDevice } from '../../../data/cache/cached-devices.ts';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { isGone } from '../../../data/problem.ts';
import { useTrack } from '../../../data/cache/track.ts';
import { t, roundPosition } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { useErrorFocus } from '../../../ui/field.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { resourceQuery, resourceSwarmsQuery, type ResourceRead } from '../resource.api.ts';
import { useBack, DeviceHead, deviceFormId, SaveButtons } from './device-head.tsx';
import { DeviceRightsProvider, OwnDeviceProvider, PositionMapProvider } from './device-parts.ts';
import './device-page.css';
import { useEffect, useRef, useState, useMemo, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { useCommands } from '../../../ui/keys-provider.tsx';
import { phone as phoneQuery, pinned, useMedia, touch } from '../../../ui/media.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import type { MapUrlView } from '../../../ui/map-view-url.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { Note } from '../../../ui/notice.tsx';
import { PositionFacts, type Reported } from '../../../ui/position-facts.tsx';
import { TrackSlider } from '../../../ui/track-slider.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import { useCreateDevice } from '../resource-writes.api.ts';
import { DeviceFields, newDevice } from '../form/device-form.tsx';
import { PlaceSearch } from '../form/place-search.tsx';
import { RefusedNotes } from './refused-notes.tsx';
import { SwarmsBox } from './swarms-box.tsx';
import { useDeviceEditor, type DeviceEditor } from './use-device-editor.ts';
import type { InvitationRole, Resource, Swarm } from '@swarmdeck/bff/contract';
import { readPosition, writePosition } from '../form/coordinates.ts';
import { LeaveDialog } from '../../../ui/confirm-dialog.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DestroyDialog } from '../destroy-dialog.tsx';

const AudienceBox = lazyPart(async () => (await import('../../../shared/audience/audience-box.tsx')).AudienceBox);

/** The page of one device. `user_id` is the signed-in user. */
export function DevicePage(props: {
  id: string;
  user_id: string;
  map: ReactNode;
  invite: ReactNode;
  messages: ReactNode;
  invitations: ReactNode;
  activity: ReactNode;
}) {
  const client = useQueryClient();
  const read = useQuery({
    ...resourceQuery(props.id),
    // Without an ETag: it is read again before anything is saved.
    initialData: () => {
      const resource = cachedDevice(client, props.id);
      return resource && { resource, etag: null, at: resource.changed_at };
    },
    initialDataUpdatedAt: 0,
  });
  const back = useBack();
  usePageTitle(read.data?.resource.name ?? '');
  if (read.data) {
    return (
      <DeviceView key={read.data.resource.id} {...props} read={read.data} destroyedElsewhere={isGone(read.error)} />
    );
  }
  return (
    <div className="page">
      <PageHead back={back}>{read.isPending && <h1 className="visually-hidden">{t.device.page.loading}</h1>}</PageHead>
      {read.isPending ? (
        <SkeletonRows count={6} badge={false} label={t.device.page.loading} />
      ) : isGone(read.error) ? (
        <Empty level={1} icon="search" title={t.device.page.not_found_title} text={t.device.page.not_found_text}>
          <ButtonLink to="/">{t.device.page.all_devices}</ButtonLink>
        </Empty>
      ) : (
        <LoadFailed level={1} title={t.device.page.error_title} query={read} />
      )}
    </div>
  );
}

/** What a device may do in one of its swarms at least. */
function rightsOf(id: string, swarms: Swarm[]) {
  const roles = swarms.flatMap(({ resources }) => resources.find(({ resource_id }) => resource_id === id) ?? []);
  const has = (role: InvitationRole) => roles.some(({ resource_type }) => [role, 'both'].includes(resource_type));
  return { swarms, sends: has('producer'), receives: has('consumer') };
}

interface DeviceViewProps {
  read: ResourceRead;
  user_id: string;
  destroyedElsewhere: boolean;
  /** Of its position. */
  map: ReactNode;
  /** The invite code of the user's own device. */
  invite: ReactNode;
  /** What the user's own device has sent, and its keys. */
  messages: ReactNode;
  /** The open invitations of the user's own device. */
  invitations: ReactNode;
  /** What happened to a device of mine. */
  activity: ReactNode;
}

/** The page of a device: with a form for its owner, read-only for others. */
function DeviceView({
  read,
  user_id,
  destroyedElsewhere,
  map,
  invite,
  messages,
  invitations,
  activity,
}: DeviceViewProps) {
  const { resource } = read;
  const own = resource.user_id === user_id;
  const phone = useMedia(phoneQuery);
  const navigate = useNavigate();
  const { state } = useLocation();
  const editor = useDeviceEditor(read);
  const [rejected, setRejected] = useState<object>({});
  const form = useErrorFocus(rejected);
  const guard = useLeaveGuard(editor.changed.length > 0);
  const again = useCreateDevice();
  const isDeleted = own && (destroyedElsewhere || editor.isGone);
  const [placing, setPlacing] = useState(false);
  const [destroying, setDestroying] = useState(false);
  const memberships = useQuery({ ...resourceSwarmsQuery(resource.id), enabled: own }).data;
  const swarms = memberships?.length ?? 0;
  const { refusals } = useQuery({ ...deviceQuery(resource.id), enabled: own }).data ?? {};
  const going = usePending(`resource:${resource.id}`);
  const editing = (state as { focus?: string } | null)?.focus === 'name';
  useEffect(() => {
    if (editing) focusName(form.current);
  }, [editing, form]);
  useCommands('device_page', own ? { edit_name: () => focusName(form.current) } : null);

  // On a phone the buttons disappear with the last change.
  const page = useRef<HTMLDivElement>(null);
  const { saved } = editor;
  useEffect(() => {
    if (saved && document.activeElement === document.body) page.current?.focus({ preventScroll: true });
  }, [saved]);

  const save = () => {
    const { errors, isSaved } = editor.save();
    setRejected(errors);
    setPlacing(false);
    return isSaved;
  };
  /** Returns the id of the new device. */
  const createAgain = async () => {
    setRejected(editor.check());
    const device = newDevice(editor.draft);
    if (!device) return null;
    try {
      return (await again.mutateAsync(device)).id;
    } catch {
      return null;
    }
  };
  const replaceByNew = async () => {
    const id = await createAgain();
    if (id === null) return;
    guard.release();
    void navigate(`/devices/${id}`, { replace: true, state: state as unknown });
  };
  const place = <DevicePlace {...{ resource, editor, own, placing, map }} onPlaced={() => setPlacing(false)} />;

  const leaveForHome = () => {
    guard.release();
    void navigate({ pathname: '/', search: withoutSelection((state as { home?: string } | null)?.home) });
  };
  const inviteCode = own && !isDeleted && (
    <OwnDeviceProvider user_id={user_id} resource_id={resource.id} name={resource.name} phone={phone}>
      {invite}
    </OwnDeviceProvider>
  );

  return (
    <div ref={page} className="page" tabIndex={-1}>
      <DeviceHead
        {...{ resource, editor, phone }}
        own={own && !going && !isDeleted}
        onDestroy={() => setDestroying(true)}
      />
      <div className="page-columns device-columns">
        {phone && place}
        <div className="stack gap-5 device-main">
          {isDeleted && (
            <Note tone="warn" icon="trash">
              {t.device.page.deleted_elsewhere}{' '}
              <Button size="row" sends busy={again.isPending} onClick={() => void replaceByNew()}>
                {t.device.page.create_again}
              </Button>
            </Note>
          )}
          {destroyedElsewhere && !own && (
            <Note tone="bad" icon="warning">
              {t.device.page.not_found_text}
            </Note>
          )}
          {going && (
            <Note tone="warn" icon="trash">
              {t.device.page.deleting} <UndoButton pending={going} look="plain" />
            </Note>
          )}
          {!own && (
            <Note icon="eye">
              <Rich text={t.device.page.read_only} owner={<Bdi>{resource.user_id}</Bdi>} />
            </Note>
          )}
          {own && <RefusedNotes refusals={refusals} id={resource.id} swarms={memberships} />}
          {phone && inviteCode}
          <form
            ref={form}
            id={deviceFormId}
            className="form"
            data-reports-changes
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void (isDeleted ? replaceByNew() : save());
            }}
          >
            <DeviceFields
              draft={editor.draft}
              errors={editor.errors}
              changed={editor.changed}
              readOnly={!own || going !== undefined}
              onChange={editor.change}
              placeButton={
                <Button icon="device" aria-pressed={placing} onClick={() => setPlacing(!placing)}>
                  {t.device.form.on_map}
                </Button>
              }
            />
          </form>
          <FormError error={isDeleted ? again.error : editor.error} unsent={editor.unsent} />
          {own && !isDeleted && memberships && (
            <DeviceRightsProvider device={resource} {...rightsOf(resource.id, memberships)}>
              {messages}
            </DeviceRightsProvider>
          )}
          {own && !isDeleted && <SwarmsBox resource={resource} user_id={user_id} />}
          {!isDeleted && <AudienceBox of={{ resource_id: resource.id }} user_id={user_id} />}
          {own && !isDeleted && invitations}
          {own && activity}
          {own && !going && !isDeleted && (
            <div className="line gap-3 wraps spread device-destroy">
              <p className="quiet">{t.device.page.delete_text(swarms)}</p>
              <Button look="danger" icon="trash" onClick={() => setDestroying(true)}>
                {t.device.page.delete}
              </Button>
            </div>
          )}
        </div>
        {!phone && (
          <aside className="stack gap-5 device-aside" aria-label={t.device.form.position}>
            {place}
            {inviteCode}
          </aside>
        )}
      </div>
      {phone && own && !isDeleted && editor.changed.length > 0 && <SaveButtons {...{ editor, resource }} />}
      {editor.conflict && (
        <ConflictDialog
          found={editor.conflict}
          saving={editor.saving}
          onChoose={editor.resolve}
          onBack={editor.backToEditing}
        />
      )}
      <LeaveDialog
        guard={guard}
        words={t.leaving}
        count={editor.changed.length}
        onSave={isDeleted ? async () => (await createAgain()) !== null : save}
      />
      {destroying && <DestroyDialog device={resource} onClose={() => setDestroying(false)} onDestroy={leaveForHome} />}
    </div>
  );
}

function focusName(form: HTMLFormElement | null) {
  form?.querySelector<HTMLInputElement>('[name="name"]')?.focus();
}

/** The URL of the list without the selection of the deleted device. */
function withoutSelection(search = ''): string {
  const params = new URLSearchParams(search);
  params.delete('sel');
  return params.toString();
}

interface DevicePlaceProps {
  resource: Resource;
  editor: DeviceEditor;
  own: boolean;
  placing: boolean;
  onPlaced(): void;
  map: ReactNode;
}

/** The position as a marker, which edits the same draft as the number fields. */
function DevicePlace({ resource, editor, own, placing, onPlaced, map }: DevicePlaceProps) {
  const onTouch = useMedia(touch);
  const isPinned = useMedia(pinned) && placing;
  const [place, setPlace] = useState<MapUrlView | null>(null);
  const track = useTrack(resource);
  const { phone, presence } = useQuery(deviceQuery(resource.id)).data ?? {};
  const { draft } = editor;
  const { latitude, longitude } = draft;
  // The same object until the position changes, because a new one would move the map.
  const position = useMemo(() => readPosition({ latitude, longitude }) ?? null, [latitude, longitude]);
  // What was reported is about the stored position.
  const reported: Reported = editor.changed.includes('position') ? {} : { ...resource, phone };
  const isPlacing = own && (placing || !position);
  const { placing: placingText, page } = t.device;
  const [hint, hintOnTouch] = isPlacing ? [placingText.hint, placingText.hint_touch] : [page.drag, page.drag_touch];
  return (
    <div className="stack device-map">
      {isPlacing && <PlaceSearch onGo={(view) => setPlace({ ...view })} />}
      <PositionMapProvider
        position={position}
        machine_type={draft.machine_type ?? resource.machine_type}
        name={resource.name}
        onChange={(to) => editor.change({ ...draft, ...writePosition(roundPosition(to)) })}
        readOnly={!own}
        isSilent={presence?.state === 'silent'}
        placing={placing}
        place={place}
        track={track}
        accuracy={reported.accuracy}
        onPlaced={onPlaced}
      >
        {map}
      </PositionMapProvider>
      <PositionFacts {...reported} />
      {track && <TrackSlider {...track} />}
      {own && <p className="quiet">{isPinned ? placingText.hint_pinned : onTouch ? hintOnTouch : hint}</p>}
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { usePendingActions, usePendingPhase } from '../../../api/pending-actions.ts';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { useKeys } from '../../../ui/keys-provider.tsx';
import { phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useLeaveGuard } from '../../../ui/use-leave-guard.ts';
import { destroyKey } from '../resources.api.ts';
import type { ResourceRead } from '../resources.api.ts';
import { DeviceFields, focusFirstError } from '../form/device-form.tsx';
import { SaveError } from '../form/save-error.tsx';
import { resourceSwarmsQuery } from '../resources.api.ts';
import { DeviceDialogs } from './device-dialogs.tsx';
import { DeviceHead, deviceFormId, SaveButtons } from './device-head.tsx';
import { DevicePositionMap } from './device-position-map.tsx';
import type { RenderPositionMap } from './device-position-map.tsx';
import { SwarmsBox } from './swarms-box.tsx';
import { useDeviceEditor } from './use-device-editor.ts';

/** Renders the invite code of the user's own device. The route passes it. */
export type RenderInvite = (of: { user_id: string; resource_id: string; phone: boolean }) => ReactNode;

/** The page of a device: with a form for its owner, read-only for others. */
export function DeviceView({
  read,
  user_id,
  destroyedElsewhere,
  renderMap,
  renderInvite,
  invitations,
  activity,
}: {
  read: ResourceRead;
  user_id: string;
  destroyedElsewhere: boolean;
  renderMap: RenderPositionMap;
  renderInvite: RenderInvite;
  /** The open invitations of the user's own device. */
  invitations: ReactNode;
  /** What happened to a device of mine. */
  activity: ReactNode;
}) {
  const { resource } = read;
  const own = resource.user_id === user_id;
  const phone = useMedia(phoneQuery);
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const editor = useDeviceEditor(read);
  const guard = useLeaveGuard(editor.changed.length > 0);
  const [placing, setPlacing] = useState(false);
  const [destroying, setDestroying] = useState(false);
  const swarms = useQuery({ ...resourceSwarmsQuery(resource.id), enabled: own }).data?.length ?? 0;
  const going = usePendingPhase(destroyKey(resource.id)) !== undefined;
  const pending = usePendingActions();
  const editing = (state as { focus?: string } | null)?.focus === 'name';
  useEffect(() => {
    if (editing) focusName(form.current);
  }, [editing]);
  useKeys('device', own ? { e: () => focusName(form.current) } : null);

  // On a phone the buttons disappear with the last change.
  const page = useRef<HTMLDivElement>(null);
  const { saved } = editor;
  useEffect(() => {
    if (saved && document.activeElement === document.body) page.current?.focus({ preventScroll: true });
  }, [saved]);

  const save = () => focusFirstError(form.current, editor.save());
  const map = (
    <DevicePositionMap {...{ resource, editor, own, placing, renderMap }} onPlaced={() => setPlacing(false)} />
  );

  const leaveForHome = () => {
    guard.release();
    void navigate({ pathname: '/', search: withoutSelection((state as { home?: string } | null)?.home) });
  };
  const invite = own && renderInvite({ user_id, resource_id: resource.id, phone });

  return (
    <div ref={page} className="page device-page" tabIndex={-1}>
      <DeviceHead {...{ resource, editor, phone }} own={own && !going} onDestroy={() => setDestroying(true)} />
      <div className="device-columns">
        {phone && map}
        <div className="device-main">
          {destroyedElsewhere && (
            <Note tone="bad" icon="warning">
              {t.device.page.gone_text}
            </Note>
          )}
          {going && (
            <Note tone="warn" icon="trash">
              {t.device.page.deleting}{' '}
              <Button size="row" onClick={() => pending.undo(destroyKey(resource.id))}>
                {t.devices.waiting.undo}
              </Button>
            </Note>
          )}
          {!own && (
            <Note icon="eye">
              <Rich text={t.device.page.read_only} owner={<Bdi>{resource.user_id}</Bdi>} />
            </Note>
          )}
          {phone && invite}
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
              draft={editor.draft}
              errors={editor.errors}
              changed={editor.changed}
              readOnly={!own || going}
              onChange={editor.change}
              placeButton={
                <Button icon="device" aria-pressed={placing} onClick={() => setPlacing(!placing)}>
                  {t.device.form.on_map}
                </Button>
              }
            />
          </form>
          <div role="alert">
            {editor.unsent ? (
              <Note tone="warn" icon="cloud-off">
                {t.shell.away.unsent}
              </Note>
            ) : (
              editor.error && <SaveError error={editor.error} />
            )}
          </div>
          {own && <SwarmsBox id={resource.id} user_id={user_id} />}
          {own && invitations}
          {own && activity}
          {own && !going && (
            <div className="device-destroy">
              <p className="device-quiet">{t.device.page.delete_text(swarms)}</p>
              <Button look="danger" icon="trash" onClick={() => setDestroying(true)}>
                {t.device.page.delete}
              </Button>
            </div>
          )}
        </div>
        {!phone && (
          <aside className="device-aside" aria-label={t.device.form.position}>
            {map}
            {invite}
            {swarms > 0 && <Note icon="eye">{t.device.page.seen_by(swarms)}</Note>}
          </aside>
        )}
      </div>
      {phone && own && editor.changed.length > 0 && <SaveButtons editor={editor} />}
      <DeviceDialogs
        {...{ resource, editor, guard }}
        destroying={destroying && { onClose: () => setDestroying(false), onDestroy: leaveForHome }}
      />
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

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { cachedDevice } from '../../../data/cache/cached-devices.ts';
import { useGone } from '../../../data/use-gone.ts';
import { t } from '../../../text/text.ts';
import { ButtonLink } from '../../../ui/buttons/button.tsx';
import { DeletedRecords } from '../../../shared/deleted-records.tsx';
import { LeaveDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { DiscardQuestion } from '../../../ui/dialogs/dialog.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { useCommands } from '../../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { RecordLoading } from '../../../ui/pages/record-loading.tsx';
import { useStaysForInput } from '../../../ui/fields/unsaved-input.ts';
import { DestroyDialog } from '../destroy-dialog.tsx';
import { deviceRecordQuery } from '../device.api.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DeskAside, DeskHead } from './device-desk.tsx';
import { useBack } from './device-head.tsx';
import { DeleteRecordsDialog } from './delete-records-dialog.tsx';
import { DeviceMain } from './device-main.tsx';
import './device-page.css';
import { PhoneFoot, PhoneHead } from './device-phone.tsx';
import { DevicePlace } from './device-place.tsx';
import { DeviceState, useDevice } from './device-state.ts';

const HandOverDialog = lazyPart(async () => (await import('./hand-over.tsx')).HandOverDialog);

/** The parts of the page that other features have. They read what the page tells them (device-parts.ts). */
interface DeviceParts {
  /** The map of its position. */
  map: ReactNode;
  /** The invite code of the user's own device. */
  invite: ReactNode;
  /** What the user's own device has sent, and its keys. */
  messages: ReactNode;
  /** The open invitations of the user's own device. */
  invitations: ReactNode;
  /** What happened to a device of mine. */
  activity: ReactNode;
  /** Who sees the user's own device by a link. */
  guests: ReactNode;
}

/** The page of one device. `user_id` is the signed-in user. */
export function DevicePage({ id, user_id, ...parts }: DeviceParts & { id: string; user_id: string }) {
  const client = useQueryClient();
  const query = useQuery({
    ...deviceRecordQuery(id),
    // Without an ETag: it is read again before anything is saved.
    initialData: () => {
      const resource = cachedDevice(client, id);
      return resource && { resource, etag: null, at: resource.changed_at };
    },
    initialDataUpdatedAt: 0,
  });
  const isGone = useGone(id, query);
  const stays = useStaysForInput(isGone);
  const back = useBack();
  const read = query.data;
  usePageTitle(read?.resource.name ?? '');
  // A user who does not see a device of another user any more is not shown what was read before.
  if (read && (!isGone || stays || read.resource.user_id === user_id)) {
    return (
      <DeviceState key={read.resource.id} read={read} user_id={user_id} isDestroyedElsewhere={isGone}>
        <DeviceView {...parts} />
      </DeviceState>
    );
  }
  return (
    <div className="page">
      <RecordLoading
        query={query}
        head={{ back }}
        texts={{ loading: t.device.page.loading, failed: t.device.page.error_title }}
        rows={{ count: 6, badge: false }}
        gone={
          isGone && (
            <Empty level={1} icon="search" title={t.device.page.not_found_title} text={t.device.page.not_found_text}>
              <ButtonLink to="/">{t.device.page.all_devices}</ButtonLink>
            </Empty>
          )
        }
      />
    </div>
  );
}

/**
 * The page of a device: with a form for its owner, read-only for others. The form stays the same while a phone is turned. It reads
 * nothing of the form itself: a key there would render all of the page.
 */
function DeviceView({ map, invite, ...main }: DeviceParts) {
  const isPhone = useMedia(phone);
  return (
    <Frame>
      {isPhone ? <PhoneHead /> : <DeskHead />}
      <div className="page-columns device-columns">
        {isPhone && <DevicePlace map={map} />}
        <DeviceMain {...main} invite={isPhone && invite} />
        {!isPhone && <DeskAside map={map} invite={invite} />}
      </div>
      {isPhone && <PhoneFoot />}
      <NameFocus />
      <Dialogs />
      <DeleteRecordsDialog />
    </Frame>
  );
}

function Dialogs() {
  const { resource, user_id, isOwn } = useDevice('shown');
  const { changed, undo } = useDevice('draft');
  const { found, isSaving, resolve, backToEditing } = useDevice('conflict');
  const { guard, saveNow, isSaving: isSavingForm, isDiscarding, setDiscarding } = useDevice('saving');
  const { deletes } = useDevice('question');
  const { isGone, create, isCreating } = useDevice('again');
  const { asked, close, leave } = useDevice('destroying');
  return (
    <>
      {found && <ConflictDialog found={found} saving={isSaving} onChoose={resolve} onBack={backToEditing} />}
      {isDiscarding && (
        <DiscardQuestion
          onDiscard={() => {
            setDiscarding(false);
            undo();
          }}
          onStay={() => setDiscarding(false)}
        />
      )}
      <LeaveDialog
        guard={guard}
        words={t.leaving}
        count={changed.length}
        onSave={isOwn && !isGone ? saveNow : create}
        isSaving={isSavingForm || isCreating}
      >
        {!isGone && deletes.length > 0 && (
          <>
            <p>{t.device.records.leaving}</p>
            <DeletedRecords resource_id={resource.id} fields={deletes} />
          </>
        )}
      </LeaveDialog>
      {asked === 'hand_over' && <HandOverDialog device={resource} user_id={user_id} onClose={close} />}
      {asked === 'delete' && <DestroyDialog device={resource} onClose={close} onDestroy={leave} />}
    </>
  );
}

/** The name gets the focus by a key, or because Edit has opened the page. */
function NameFocus() {
  const { isOwn } = useDevice('shown');
  const { form } = useDevice('saving');
  const { state } = useLocation();
  const isEditing = (state as { focus?: string } | null)?.focus === 'name';
  useEffect(() => {
    if (isEditing) focusName(form.current);
  }, [isEditing, form]);
  useCommands('device_page', isOwn ? { edit_name: () => focusName(form.current) } : null);
  return null;
}

function focusName(form: HTMLFormElement | null) {
  form?.querySelector<HTMLInputElement>('[name="name"]')?.focus();
}

/** On a phone the buttons disappear with the last change: the page then gets the focus. */
function Frame({ children }: { children: ReactNode }) {
  const { outcome } = useDevice('saving');
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome && document.activeElement === document.body) page.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <div ref={page} className="page" tabIndex={-1}>
      {children}
    </div>
  );
}

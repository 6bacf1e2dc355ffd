import type { ReactNode } from 'react';
import type { InvitationRole, Swarm } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { FormError } from '../../../ui/fields/form-error.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { DeviceFields } from '../form/device-form.tsx';
import { DeviceNotes } from './device-notes.tsx';
import { DeviceRightsProvider } from './device-parts.ts';
import { OwnDevice } from './own-device.tsx';
import { deviceFormId } from './save-buttons.tsx';
import { SwarmsBox } from './swarms-box.tsx';
import { useDevice } from './device-state.ts';

const AudienceBox = lazyPart(async () => (await import('../../../shared/audience/audience-box.tsx')).AudienceBox);

interface DeviceMainProps {
  /** After the form. */
  invite: ReactNode;
  messages: ReactNode;
  invitations: ReactNode;
  activity: ReactNode;
  /** Who sees the device by a link. */
  guests: ReactNode;
}

/** The form of the device, and what belongs to it, one below the other. */
export function DeviceMain({ invite, messages, invitations, activity, guests }: DeviceMainProps) {
  const { resource, user_id, isOwn } = useDevice('shown');
  return (
    <div className="stack gap-5 device-main">
      <DeviceNotes />
      <Form />
      <SaveError />
      <OwnDevice>
        {invite}
        <WithRights>{messages}</WithRights>
        <SwarmsBox resource={resource} user_id={user_id} />
      </OwnDevice>
      <UnlessGone>
        <AudienceBox
          of={{ resource_id: resource.id }}
          user_id={user_id}
          device={isOwn ? resource : undefined}
          guests={isOwn && guests}
        />
      </UnlessGone>
      <OwnDevice>{invitations}</OwnDevice>
      {isOwn && activity}
      <Destroy />
    </div>
  );
}

function UnlessGone({ children }: { children: ReactNode }) {
  return !useDevice('again').isGone && children;
}

function Form() {
  const { resource } = useDevice('shown');
  const { draft, errors, changed, change } = useDevice('draft');
  const { isPlacing, toggle } = useDevice('placing');
  const { form, save } = useDevice('saving');
  const { isGone, isTypable, replace } = useDevice('again');
  return (
    <form
      ref={form}
      id={deviceFormId}
      className="form"
      data-reports-changes
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isGone) void replace?.();
        else save();
      }}
    >
      <DeviceFields
        resource_id={resource.id}
        draft={draft}
        errors={errors}
        changed={changed}
        readOnly={!isTypable}
        onChange={change}
        placeButton={
          <Button icon="device" aria-pressed={isPlacing} onClick={toggle}>
            {t.device.form.on_map}
          </Button>
        }
      />
    </form>
  );
}

function SaveError() {
  const { error, isUnsent } = useDevice('saving');
  const again = useDevice('again');
  return <FormError error={again.isGone ? again.error : error} unsent={isUnsent} />;
}

/** Tells the messages of the device what it may do in its swarms, once these are known. */
function WithRights({ children }: { children: ReactNode }) {
  const { resource, swarms } = useDevice('shown');
  if (!swarms) return null;
  return (
    <DeviceRightsProvider device={resource} {...rightsOf(resource.id, swarms)}>
      {children}
    </DeviceRightsProvider>
  );
}

/** What a device may do in one of its swarms at least. */
function rightsOf(id: string, swarms: Swarm[]) {
  const roles = swarms.flatMap(({ resources }) => resources.find(({ resource_id }) => resource_id === id) ?? []);
  const has = (role: InvitationRole) => roles.some(({ resource_type }) => [role, 'both'].includes(resource_type));
  return { swarms, sends: has('producer'), receives: has('consumer') };
}

function Destroy() {
  const { swarms } = useDevice('shown');
  const { ask } = useDevice('destroying');
  if (!ask) return null;
  return (
    <div className="line gap-3 wraps spread device-destroy">
      <p className="quiet">{swarms && t.device.page.delete_text(swarms.length)}</p>
      <div className="line wraps">
        <Button icon="user" onClick={() => ask('hand_over')}>
          {t.commands.device.hand_over}
        </Button>
        <Button look="danger" icon="trash" onClick={() => ask('delete')}>
          {t.device.page.delete}
        </Button>
      </div>
    </div>
  );
}

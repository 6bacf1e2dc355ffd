import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { Resource } from '@swarmdeck/bff/contract';
import { useOutbox } from '../../../data/outbox/outbox.ts';
import { changedAt } from '../../../data/server-clock.ts';
import { joinList, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { PresenceDot, PresenceText } from '../../../ui/presence.tsx';
import { HeadName, JumpButton, PageHead } from '../../../ui/page-head.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Time } from '../../../ui/time.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { CommandMenu } from '../../../ui/command-menu.tsx';
import { useDeviceCommands } from '../use-device-commands.ts';
import './device-head.css';
import { deviceQuery, presenceOf } from '../../../data/cache/device-query.ts';
import type { DeviceEditor } from './use-device-editor.ts';

/** The link back to the list with its filters, selection and map view. */
export function useBack() {
  const location = useLocation();
  const { home = '' } = (location.state ?? {}) as { home?: string };
  return { to: { pathname: '/', search: home }, label: t.device.page.back };
}

interface DeviceHeadProps {
  resource: Resource;
  editor: DeviceEditor;
  own: boolean;
  phone: boolean;
  onDestroy(): void;
}

export function DeviceHead({ resource, editor, own, phone, onDestroy }: DeviceHeadProps) {
  const back = useBack();
  const { data: presence } = useQuery({ ...deviceQuery(resource.id), select: presenceOf });
  const menu = useDeviceCommands({ device: resource, onDestroy: own ? onDestroy : undefined });
  return (
    <PageHead back={back}>
      {!phone && <TypeBadge type={resource.machine_type} presence={presence?.state} />}
      <div className="fill">
        <HeadName text={resource.name} />
        {phone && presence && presence.state !== 'never' && (
          <p className="line quiet">
            <PresenceDot state={presence.state} />
            <span>
              <PresenceText presence={presence} />
            </span>
          </p>
        )}
        {!phone && (
          <p className="quiet one-line">
            {presence && (
              <>
                <PresenceText presence={presence} /> ·{' '}
              </>
            )}
            <Rich text={t.device.page.changed} age={<Time at={changedAt(resource)} />} /> ·{' '}
            <Rich text={t.device.page.added} date={<Time at={resource.created_at} form="date" />} /> ·{' '}
            {t.device.page.id} <code dir="ltr">{resource.id}</code>
          </p>
        )}
      </div>
      {own && !phone && <SaveButtons {...{ editor, resource }} />}
      <JumpButton />
      <CommandMenu look={phone ? 'quiet' : 'plain'} label={t.devices.more} commands={menu} />
    </PageHead>
  );
}

export const deviceFormId = 'device-form';

/**
 * The state of the changes, Undo and Save: in the header, on a phone in the footer. They keep their place in every
 * state. Save belongs to the form, so Enter in a field presses it.
 */
export function SaveButtons({ editor, resource }: { editor: DeviceEditor; resource: Resource }) {
  const { contested } = editor;
  const count = editor.changed.length;
  const waits = useOutbox(resource.user_id).some(({ task }) => task.type === 'edit' && task.device.id === resource.id);
  return (
    <div className="line gap-3 save-buttons">
      <output
        className={contested.length > 0 || editor.unsent ? 'save-state quiet save-state-contested' : 'save-state quiet'}
      >
        {editor.unsent
          ? t.device.page.not_saved
          : contested.length > 0
            ? t.device.page.also_elsewhere(joinList(contested.map((field) => t.device.form[field])))
            : count > 0
              ? t.device.page.fields_changed(count)
              : waits
                ? t.device.page.postponed
                : editor.saved
                  ? t.device.page.saved
                  : ''}
      </output>
      <Button disabled={count === 0 || editor.saving} focusableWhenDisabled onClick={editor.undo}>
        {t.device.page.discard}
      </Button>
      <Button
        look="primary"
        disabled={count === 0}
        focusableWhenDisabled
        busy={editor.saving}
        type="submit"
        form={deviceFormId}
      >
        {t.device.page.save}
      </Button>
    </div>
  );
}

import { useState } from 'react';
import type { MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { ShownByLinksField, useShownByLinks } from '../../../shared/shown-by-links.tsx';
import { RoleChoice } from '../../../shared/role-choice.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { DeviceChoice, useDeviceChoice } from './device-choice.tsx';

/** Adds the user's own devices to a swarm, all with one role. */
export function AddMembers({ swarm, onClose }: { swarm: SwarmItem; onClose(): void }) {
  const [role, setRole] = useState<MemberRole>('producer');
  const choice = useDeviceChoice(swarm.id);
  const { start } = useActionRequests();
  const { count } = choice.checked;
  const shown = useShownByLinks();
  const add = () => {
    const about = { swarm: { id: swarm.id, name: swarm.name }, resource_type: role, ...shown.terms };
    void start({ kind: 'add_member', about, ...choice.items() });
    onClose();
  };
  return (
    <Dialog
      title={t.add_members.title}
      description={t.add_members.text}
      onClose={onClose}
      footer={
        <>
          <Button look="primary" sends disabled={count === 0} onClick={add}>
            {t.add_members.submit(count)}
          </Button>
          <Button onClick={onClose}>{t.shell.kit.cancel}</Button>
          <output className="quiet numbers to-end">{count > 0 && t.add_members.selected(formatNumber(count))}</output>
        </>
      }
    >
      <div className="stack gap-1">
        <RoleChoice label={t.add_members.role} value={role} onChange={setRole} />
        <p className="quiet">{t.invite.role_texts[role]}</p>
      </div>
      <DeviceChoice choice={choice} />
      <Note tone="soft" icon="eye">
        <ConsentLines text={t.add_members.consent(swarm.member_count)} />
      </Note>
      <ShownByLinksField devices={count} {...shown} />
    </Dialog>
  );
}

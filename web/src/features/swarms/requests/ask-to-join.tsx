import { useState, type ReactNode } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { phone, useMedia } from '../../../ui/media.ts';
import { MoreMenu } from '../../../ui/menu.tsx';
import { RequestsBox } from './requests-box.tsx';
import './requests.css';

const AskDialog = lazyPart(async () => (await import('./ask-dialog.tsx')).AskDialog);

interface AskProps {
  swarm: SwarmItem;
  /** The dialog that adds a device. */
  addDevice: ReactNode;
}

/** On the page of a public swarm for guests: the button to ask, and the user's open requests. */
export function AskToJoin({ swarm, addDevice }: AskProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="stack gap-3 starts request-ask">
      <p>{swarm.may_ask ? t.requests.text : t.requests.not_accepted}</p>
      {swarm.may_ask && (
        <Button look="primary" icon="send" onClick={() => setOpen(true)}>
          {t.requests.ask}
        </Button>
      )}
      <RequestsBox swarm_id={swarm.id} box="sent" />
      {isOpen && <AskDialog swarm={swarm} addDevice={addDevice} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** In the header, for members who ask with more devices. The dialog also has their open requests. */
export function AskWithMore({ swarm, addDevice }: AskProps) {
  const [isOpen, setOpen] = useState(false);
  const small = useMedia(phone);
  const open = () => setOpen(true);
  return (
    <>
      {small ? (
        <MoreMenu
          look="quiet"
          label={t.members.actions}
          items={[{ id: 'ask', label: t.requests.ask, icon: 'send', onSelect: open }]}
        />
      ) : (
        <Button icon="send" onClick={open}>
          {t.requests.ask}
        </Button>
      )}
      {isOpen && (
        <AskDialog swarm={swarm} addDevice={addDevice} onClose={() => setOpen(false)}>
          <RequestsBox swarm_id={swarm.id} box="sent" />
        </AskDialog>
      )}
    </>
  );
}

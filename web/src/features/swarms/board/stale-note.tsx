import { useState } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { useErrorToast } from '../../../ui/toasts/toast.tsx';
import { readBoard } from '../swarms.api.ts';
import {
  selectedInvitationCommands,
  useStartOnInvitations,
  type BoardCommand,
} from './selected-invitation-commands.tsx';
import './board.css';

/** The number of invitations without an answer for a long time, with buttons to send them again or withdraw them. */
export function StaleNote({ swarm, count }: { swarm: SwarmItem; count: number }) {
  const start = useStartOnInvitations();
  const showError = useErrorToast();
  const [isReading, setReading] = useState(false);
  /** Reads them first: those that become stale while the action is pending are not included. */
  const startAll = async ({ kind }: Pick<BoardCommand, 'kind'>) => {
    setReading(true);
    try {
      start(kind, await readBoard({ id: swarm.id, state: 'stale' }));
    } catch (error) {
      showError(error, t.board.not_read);
    }
    setReading(false);
  };
  return (
    <div className="line wraps stale-note">
      <Icon name="warning" />
      <p>
        <b>{t.board.stale_title(count)}</b> {t.board.stale_text}
      </p>
      <div className="line even-buttons">
        {Object.values(selectedInvitationCommands).map((command) => (
          <Button key={command.id} size="small" busy={isReading} onClick={() => void startAll(command)}>
            {command.texts().all(count)}
          </Button>
        ))}
      </div>
    </div>
  );
}

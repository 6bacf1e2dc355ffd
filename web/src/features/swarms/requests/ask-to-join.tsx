import { useState } from 'react';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import './requests.css';

const RequestsBox = lazyPart(async () => (await import('./requests-box.tsx')).RequestsBox);
const AskDialog = lazyPart(async () => (await import('./ask-dialog.tsx')).AskDialog);

/** On the page of a public swarm for guests: the button to ask, and the user's open requests. */
export function AskToJoin({ swarm }: { swarm: SwarmItem }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="stack gap-3 starts request-ask">
      <p>{swarm.may_ask ? t.requests.text : t.problems['join_request.not_accepted']}</p>
      {swarm.may_ask && (
        <Button look="primary" icon="send" onClick={() => setOpen(true)}>
          {t.requests.ask}
        </Button>
      )}
      <RequestsBox swarm_id={swarm.id} box="sent" />
      {isOpen && <AskDialog swarm={swarm} onClose={() => setOpen(false)} />}
    </div>
  );
}

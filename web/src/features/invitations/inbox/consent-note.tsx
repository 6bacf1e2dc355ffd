import type { InvitationItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import './inbox-page.css';

/** Beside the Accept button: who will see which data after joining. */
export function ConsentNote({ swarm }: { swarm: InvitationItem['swarm'] }) {
  return (
    <div className="consent">
      <Note icon="eye">
        <Rich
          text={swarm.member_count > 0 ? t.invitations.consent : t.invitations.consent_alone}
          swarm={
            <b>
              <Bdi>{swarm.name}</Bdi>
            </b>
          }
        />
      </Note>
    </div>
  );
}

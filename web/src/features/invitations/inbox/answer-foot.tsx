import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { deviceName, overReason, PendingAnswer, useAnswer } from '../../../shared/actions/answers.tsx';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { consentLimits, hasPossibleEnd } from '../../../shared/ends/end-choices.ts';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { Flow } from '../../../shared/flow.tsx';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CommandKey, useKeysEnabled } from '../../../ui/keys/keys-provider.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useIsPast, useNow } from '../../../ui/texts/time.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInbox } from './inbox-state.ts';
import './invitation-pane.css';

/**
 * The answer buttons and the consent note stay at the bottom of the pane while the rest scrolls. Each invitation has
 * its own buttons, so that a double tap does not answer two invitations.
 */
export function PaneFoot() {
  const { item } = useInbox('open');
  return item && <AnswerFoot key={item.id} item={item} />;
}

interface AnswerProps {
  item: InvitationItem;
}

function AnswerFoot({ item }: AnswerProps) {
  const [{ box }] = useUrlState(inboxUrl);
  const { answer } = useInboxAnswers();
  const { pending } = useAnswer(item.id);
  if (pending) {
    return (
      <PageFoot className="line wraps even-buttons pane-foot">
        <PendingAnswer pending={pending} />
      </PageFoot>
    );
  }
  if (item.status !== 'new') return null;
  return (
    <PageFoot className="line wraps even-buttons pane-foot">
      {box === 'sent' ? (
        <Button acts onClick={() => answer('withdraw', item)}>
          {t.invitations.withdraw}
        </Button>
      ) : (
        <ReceivedButtons item={item} />
      )}
      <PaneKeys />
    </PageFoot>
  );
}

function ReceivedButtons({ item }: AnswerProps) {
  const { answer } = useInboxAnswers();
  const { block } = useInbox('dialog');
  const isLate = useIsPast(item.ends_at);
  return (
    <>
      {isLate ? (
        <Note tone="soft" icon="clock">
          {overReason(item)}
        </Note>
      ) : (
        <>
          <JoinConsent item={item} />
          <Button look="primary" acts onClick={() => answer('accept', item)}>
            {t.invitations.accept}
            <AnswerKey id="accept" />
          </Button>
        </>
      )}
      {!item.is_request && <UntilButton item={item} />}
      <Button acts onClick={() => answer('reject', item)}>
        {t.invitations.reject}
        <AnswerKey id="reject" />
      </Button>
      {item.is_request && (
        <Button look="quiet" onClick={() => block(item.id)}>
          {t.invitations.block}
        </Button>
      )}
    </>
  );
}

/** Accepts it until an end, as long as one is possible. */
function UntilButton({ item }: AnswerProps) {
  const { acceptUntil } = useInbox('dialog');
  if (!hasPossibleEnd(useNow(), consentLimits(item.ends_at))) return null;
  return (
    <Button acts onClick={() => acceptUntil(item.id)}>
      {t.invitations.until.action}
    </Button>
  );
}

/** Who will see what of the device, or for how much longer. */
function JoinConsent({ item }: { item: InvitationItem }) {
  const { member_ends_at, other_role_ends_at, is_request, swarm, from, ends_at, resource_type, resource_id } = item;
  const texts = t.invitations;
  const isMember = other_role_ends_at !== undefined;
  const text = is_request ? (isMember ? texts.consent_member : texts.consent_request) : texts.consent;
  const swarmName = (
    <b>
      <Bdi>{swarm.name}</Bdi>
    </b>
  );
  if (member_ends_at !== undefined && ends_at !== undefined) {
    return (
      <Consent>
        <Rich
          text={texts.later_end.consent}
          device={<Bdi>{deviceName(item)}</Bdi>}
          swarm={swarmName}
          date={<EndTime at={ends_at} />}
          now={<EndTime at={member_ends_at} />}
        />
      </Consent>
    );
  }
  return (
    <Consent>
      <ConsentLines
        text={text}
        placeholders={{ from: <Bdi>{from}</Bdi>, device: <Bdi>{deviceName(item)}</Bdi>, swarm: swarmName }}
      >
        <Flow swarm={swarm} role={resource_type} resource_id={resource_id} />
        <EndConsent item={item} />
      </ConsentLines>
    </Consent>
  );
}

/** Which end the device will have: one that is offered or asked for replaces that of a member. */
function EndConsent({ item: { is_request, ends_at, other_role_ends_at: now } }: { item: InvitationItem }) {
  const texts = t.invitations.until;
  const date = ends_at !== undefined && <EndTime at={ends_at} />;
  const present = now && <EndTime at={now} />;
  if (!date)
    return (
      present && (
        <li>
          <Rich text={texts.kept} now={present} />
        </li>
      )
    );
  const isNew = now === undefined || now === ends_at;
  const of = isNew ? (is_request ? 'asked' : 'offered') : now === null ? 'limited' : 'replaced';
  return (
    <li>
      <Rich text={texts[of]} date={date} now={present} />
    </li>
  );
}

/** Whether the inbox shows keys. */
function useShowsKeys(): boolean {
  const isEnabled = useKeysEnabled();
  return useInbox('layout').hasKeys && isEnabled;
}

/** The key of a button that answers. */
export function AnswerKey({ id }: { id: 'accept' | 'reject' }) {
  return useShowsKeys() && <CommandKey scope="received" id={id} />;
}

export function PaneKeys() {
  if (!useShowsKeys()) return null;
  return (
    <span className="pane-keys quiet" aria-hidden="true">
      <span>
        <CommandKey scope="inbox" id="next" /> <CommandKey scope="inbox" id="previous" /> {t.invitations.keys_step}
      </span>
      <span>
        <CommandKey scope="inbox" id="select" /> {t.invitations.keys_select}
      </span>
    </span>
  );
}

/** Beside the Accept button: who will see which data after joining. */
export function Consent({ children }: { children: ReactNode }) {
  return (
    <div className="consent">
      <Note tone="soft" icon="eye">
        {children}
      </Note>
    </div>
  );
}

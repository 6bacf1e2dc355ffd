import { useMemo, useState, type ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { shareProps } from '../../../shared/share-page.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import { useNow } from '../../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import '../../../ui/pages/box.css';
import { ItemEnd } from '../item-end.tsx';
import './bulk-pane.css';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { deviceName, type Answer } from '../../../shared/actions/answers.tsx';
import { consentOf, lastEndOf, summariseAnswered, type AnsweredSummary, type SwarmSummary } from './bulk-summary.ts';
import { inboxUrl } from './inbox-url.ts';
import { AnswerKey, Consent, PaneKeys } from './answer-foot.tsx';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInbox } from './inbox-state.ts';

/** How many are listed before the button that shows the rest. */
const shownAtFirst = { swarms: 20, devices: 6 };

const [SummaryProvider, useBulkSummary] = shareProps<AnsweredSummary>('useBulkSummary');

/** The swarms and devices of the selected invitations, and what answering them does. That of thousands takes milliseconds: it is made once. */
export function BulkSummaryProvider({ children }: { children: ReactNode }) {
  const [{ box }] = useUrlState(inboxUrl);
  const { items } = useInbox('selection').checked;
  const now = useNow();
  const lastEnd = box === 'sent' ? null : lastEndOf(items, now);
  const summary = useMemo(() => summariseAnswered(items, lastEnd), [items, lastEnd]);
  return <SummaryProvider {...summary}>{children}</SummaryProvider>;
}

/** The swarms and devices of the selected invitations. */
export function BulkFacts() {
  const summary = useBulkSummary();
  const [swarms, setSwarms] = useState(shownAtFirst.swarms);
  const left = summary.swarms.length - swarms;
  return (
    <ul className="box bulk-swarms">
      {summary.swarms.slice(0, swarms).map((group) => (
        <SwarmGroup key={group.swarm.id} group={group} />
      ))}
      {left > 0 && (
        <li>
          {t.invitations.bulk.more_swarms(left)}{' '}
          <Button look="accent" size="row" onClick={() => setSwarms(swarms + 200)}>
            {t.invitations.bulk.show_more}
          </Button>
        </li>
      )}
    </ul>
  );
}

function SwarmGroup({ group }: { group: SwarmSummary }) {
  const { swarm, devices, message } = group;
  const { isNamesake } = useInbox('rows');
  const [shown, setShown] = useState(shownAtFirst.devices);
  const left = devices.length - shown;
  return (
    <li>
      <div className="line gap-3 spread baseline bulk-swarm">
        <h3>
          <Rich
            text={swarm.user_id === '' ? '{swarm}' : t.invitations.by}
            swarm={<Bdi>{swarm.name}</Bdi>}
            owner={<Bdi>{swarm.user_id}</Bdi>}
          />
        </h3>
        <span className="quiet numbers">{t.invitations.facts.members(swarm.member_count ?? 0)}</span>
      </div>
      {message !== undefined && <Message text={message} />}
      <ul>
        {devices.slice(0, shown).map(({ item, role, messages }) => (
          <li key={item.id}>
            <div className="line bulk-device">
              {item.device && <TypeBadge type={item.device.machine_type} small />}
              <span className="fill bulk-name">
                <TruncateMiddle text={deviceName(item)} />
              </span>
              {isNamesake(item) && <ShortId id={item.resource_id} />}
              {!item.is_later_end && <RoleChip role={role} label={t.shell.roles[role]} />}
              <ItemEnd item={item} />
            </div>
            {message === undefined && messages.map((each) => <Message key={each} text={each} />)}
          </li>
        ))}
        {left > 0 && (
          <li className="line bulk-device quiet">
            {t.invitations.bulk.more_devices(left)}
            <Button look="accent" size="row" onClick={() => setShown(shown + 200)}>
              {t.invitations.bulk.show_more}
            </Button>
          </li>
        )}
      </ul>
    </li>
  );
}

/** What the sender wrote with the invitation. */
function Message({ text }: { text: string }) {
  return (
    <p className="quiet bulk-message">
      <Rich text={t.invitations.facts.quote} message={<Bdi>{text}</Bdi>} />
    </p>
  );
}

/** The texts of a bulk answer: how many invitations, how many swarms, and that it can be undone. */
export function useBulkWords() {
  const { swarms, joining, staying, answered, over } = useBulkSummary();
  const [{ box }] = useUrlState(inboxUrl);
  const { items, count, total } = useInbox('selection').checked;
  const texts = t.invitations.bulk;
  const titles = texts[areRequests(items) ? 'title_requests' : 'title'];
  const isOnlyOver = answered.length === 0;
  const accepted = isOnlyOver
    ? []
    : [
        joining.devices > 0 && texts.joins(joining.devices, joining.swarms.length),
        staying > 0 && texts.stays(staying),
        texts.undo,
      ];
  return {
    of: t.invitations.selected_of(formatNumber(count), formatNumber(total)),
    title: box === 'sent' ? titles.withdraw(count) : isOnlyOver ? titles.reject(count) : titles.accept(answered.length),
    text:
      box === 'sent'
        ? texts.withdraws(swarms.length)
        : [...accepted, over > 0 && texts.over(over)].filter((each) => each !== false).join(' '),
  };
}

const areRequests = (items: readonly InvitationItem[]) => items.every(({ is_request }) => is_request);

export function BulkPane() {
  const { of, title, text } = useBulkWords();
  return (
    <article className="stack gap-5 pane-read" aria-labelledby="bulk-title">
      <header>
        <p className="quiet numbers">{of}</p>
        <h2 id="bulk-title">{title}</h2>
        <p className="bulk-text">{text}</p>
      </header>
      <BulkFacts />
    </article>
  );
}

/** What those who accept agree to. */
export function BulkConsent() {
  const [{ box }] = useUrlState(inboxUrl);
  const { swarms, members, answered, joining } = useBulkSummary();
  if (box === 'sent' || answered.length === 0) return null;
  return (
    <Consent>
      <ConsentLines
        text={
          joining.devices === 0
            ? t.invitations.bulk.consent_stay
            : areRequests(answered)
              ? t.invitations.bulk.consent_requests
              : t.invitations.bulk[swarms.length === 1 ? 'consent_one' : 'consent']
        }
        placeholders={{
          what: t.invitations.bulk.what,
          members: t.invitations.bulk.members(members),
        }}
      >
        {consentOf(joining).map((what) => (
          <li key={what}>{t.invitations.bulk.consent_of[what]}</li>
        ))}
      </ConsentLines>
    </Consent>
  );
}

export function BulkButtons({ onDone }: { onDone?(): void }) {
  const [{ box }] = useUrlState(inboxUrl);
  const selection = useInbox('selection').checked;
  const answers = useInboxAnswers();
  const count = formatNumber(selection.count);
  const { answered } = useBulkSummary();
  const answerSelected = (answer: Answer) => () => {
    answers.answerSelected(answer);
    onDone?.();
  };
  if (box === 'sent')
    return (
      <Button acts onClick={answerSelected('withdraw')}>
        {t.invitations.bulk.withdraw(count)}
      </Button>
    );
  return (
    <>
      {answered.length > 0 && (
        <Button look="primary" acts onClick={answerSelected('accept')}>
          {t.invitations.bulk.accept(formatNumber(answered.length))}
          <AnswerKey id="accept" />
        </Button>
      )}
      <Button acts onClick={answerSelected('reject')}>
        {t.invitations.bulk.reject(count)}
        <AnswerKey id="reject" />
      </Button>
    </>
  );
}

export function BulkFoot() {
  return (
    <PageFoot className="line wraps even-buttons pane-foot">
      <BulkConsent />
      <BulkButtons />
      <PaneKeys />
    </PageFoot>
  );
}

import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { isGone } from '../../../data/problem.ts';
import type { Mailbox } from '../../../data/cache/query-keys.ts';
import { t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/lists/row-checkbox.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Row, RowWords } from '../../../ui/lists/row.tsx';
import { useSwipe, type Swipe } from '../../../ui/lists/swipe.ts';
import { Time, useIsPast } from '../../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import {
  AnswerAudience,
  AnswerButtons,
  chosenEnd,
  deviceName,
  endOf,
  FailureReason,
  invitationQuery,
  overReason,
  PendingAnswer,
  recipientOf,
  useAnswer,
  type Answer,
} from '../../../shared/actions/answers.tsx';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { receivedText, senderOf, sentText } from '../invitations.api.ts';
import './inbox-list.css';

/** The callbacks of all rows. They are the same functions for as long as the list is shown. */
export interface InboxHandlers {
  select(item: InvitationItem): void;
  open(item: InvitationItem): void;
  toggle(id: string, range: boolean): void;
  answer(answer: Answer, item: InvitationItem): void;
}

export interface InvitationRowProps {
  item: InvitationItem;
  box: Mailbox;
  selected: boolean;
  checked: boolean;
  /** It is not open any more: the row only shows how it ended. */
  ended?: boolean;
  /** Another device in the list has the same name. */
  isNamesake?: boolean;
  tabIndex: 0 | -1;
  handlers: InboxHandlers;
}

/** An open invitation: who invites which device to which swarm, in which role, and since when. */
export const InvitationRow = memo(function InvitationRow(props: InvitationRowProps) {
  const { item, box, selected, checked, ended = false, isNamesake = false, tabIndex, handlers } = props;
  const { pending, failure } = useAnswer(item.id);
  const isClosed = pending !== undefined || ended;
  const swipeTo = (answer: 'accept' | 'reject'): Swipe => ({
    label: t.invitations[answer],
    look: answer === 'accept' ? 'accent' : 'bad',
    act: () => handlers.answer(answer, item),
  });
  const swipe = useSwipe(isClosed || box === 'sent' ? {} : { right: swipeTo('accept'), left: swipeTo('reject') });
  return (
    <Row
      id={item.id}
      tabIndex={tabIndex}
      state={isClosed ? 'pending' : selected ? 'selected' : checked && 'checked'}
      className={ended ? 'invitation invitation-ended' : 'invitation swipeable'}
      gestures={swipe.gestures}
      actions={
        <>
          <div className="center invitation-checkbox">
            {ended ? (
              <Icon name={item.status === 'accepted' ? 'check' : 'close'} size={16} />
            ) : pending ? (
              <Icon name="clock" />
            ) : (
              <AnswerCheckbox {...props} />
            )}
          </div>
          <div className="line gap-1 invitation-actions">
            {ended ? (
              <Ended item={item} box={box} />
            ) : pending ? (
              <PendingAnswer pending={pending} />
            ) : (
              <AnswerButtons item={item} box={box} tabIndex={tabIndex} onAnswer={handlers.answer} />
            )}
          </div>
        </>
      }
      onSelect={() => handlers.select(item)}
      onOpen={() => handlers.open(item)}
      onLongPress={
        isClosed
          ? undefined
          : () => {
              swipe.cancel();
              handlers.toggle(item.id, false);
            }
      }
    >
      <RowWords
        title={
          <span className="invitation-line">
            <InvitationSentence item={item} box={box} isNamesake={isNamesake} />
            {!isClosed && (
              <span className="row-trailing quiet">
                <Time at={item.sent_at} form="age" />
              </span>
            )}
          </span>
        }
        meta={
          <span className="invitation-meta">
            <span className="line invitation-second">
              {failure && box === 'sent' ? (
                <span className="bad">
                  <FailureReason item={item} box={box} failure={failure} />
                </span>
              ) : (
                <Offered
                  item={item}
                  isOpen={box === 'received' && !isClosed}
                  withEnd={pending === undefined || chosenEnd(pending) === undefined}
                />
              )}
            </span>
            {box === 'received' && failure && (
              <span className="answer-audience bad one-line">
                <FailureReason item={item} box={box} failure={failure} />
              </span>
            )}
            {box === 'received' && !failure && !isClosed && <AnswerAudience item={item} />}
          </span>
        }
      />
    </Row>
  );
});

interface OfferedProps {
  item: InvitationItem;
  isOpen: boolean;
  withEnd: boolean;
}

/** The swarm, the role and the end, or why it cannot be accepted. */
function Offered({ item, isOpen, withEnd }: OfferedProps) {
  const { swarm, resource_type: role, is_later_end } = item;
  const ends_at = endOf(item);
  if (useIsPast(item.ends_at) && isOpen) return <span className="one-line">{overReason(item)}</span>;
  return (
    <>
      <Bdi className="one-line">{swarm.name}</Bdi>
      {!is_later_end && <RoleChip role={role} label={t.shell.roles[role]} />}
      {withEnd && ends_at !== undefined && (
        <span className="invitation-end">
          <UntilDate at={ends_at} />
        </span>
      )}
    </>
  );
}

/** How the invitation ended. One that is in no list has expired, or was withdrawn or deleted. */
function Ended({ item, box }: Pick<InvitationRowProps, 'item' | 'box'>) {
  const { id, status } = item;
  const isPast = useIsPast(item.ends_at);
  const { data, error } = useQuery({ ...invitationQuery(id), enabled: status === 'new' });
  const end = status === 'new' ? (data?.status ?? 'new') : status;
  const gone = isPast ? 'expired' : box === 'sent' ? 'withdrawn' : 'gone';
  return (
    <span className="invitation-answering quiet">
      {isGone(error) ? t.invitations.ended[gone] : end !== 'new' && t.invitations.ended[end]}
    </span>
  );
}

function InvitationSentence({ item, box, isNamesake }: { item: InvitationItem; box: Mailbox; isNamesake: boolean }) {
  const name = deviceName(item);
  const device = (
    <span className="invitation-device">
      <TruncateMiddle text={isNamesake ? `${name} …${item.resource_id.slice(-4)}` : name} />
    </span>
  );
  return box === 'received' ? (
    <span className="invitation-asking">
      <Rich text={receivedText(item)} from={<Who name={senderOf(item)} />} device={device} />
    </span>
  ) : (
    <span className="invitation-asking">
      <Rich text={sentText(item)} to={<Who name={recipientOf(item)} />} device={device} />
    </span>
  );
}

function Who({ name }: { name: string }) {
  return (
    <Bdi className="invitation-user" title={name}>
      {name}
    </Bdi>
  );
}

function AnswerCheckbox({ item, box, checked, tabIndex, handlers }: InvitationRowProps) {
  return (
    <RowCheckbox
      label={
        <Rich
          text={t.invitations.select}
          invitation={
            <Rich
              text={box === 'sent' ? sentText(item) : receivedText(item)}
              from={<Bdi>{senderOf(item)}</Bdi>}
              to={<Bdi>{recipientOf(item)}</Bdi>}
              device={<Bdi>{deviceName(item)}</Bdi>}
            />
          }
        />
      }
      tabIndex={tabIndex}
      checked={checked}
      onToggle={(range) => handlers.toggle(item.id, range)}
    />
  );
}

import { memo } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { Box } from '../../../api/query-keys.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Row } from '../../../ui/row.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { isFinal, PendingAnswer, reasonOf, useAnswer } from '../answers.job.tsx';
import type { Answer } from '../answers.job.tsx';
import { deviceName } from '../invitations.api.ts';
import type { Inbox } from './use-inbox.ts';
import './inbox-list.css';

/** The callbacks of all rows. They are the same functions for as long as the list is shown. */
export interface InboxActions extends Pick<Inbox, 'answer' | 'dismiss' | 'toggle'> {
  select(item: InvitationItem): void;
}

export interface InvitationRowProps {
  item: InvitationItem;
  box: Box;
  selected: boolean;
  checked: boolean;
  tabIndex: 0 | -1;
  actions: InboxActions;
}

/** An open invitation: who invites which device to which swarm, in which role, and since when. */
export const InvitationRow = memo(function InvitationRow(props: InvitationRowProps) {
  const { item, box, selected, checked, tabIndex, actions } = props;
  const { job, failure } = useAnswer(item.id);
  return (
    <Row
      id={item.id}
      tabIndex={tabIndex}
      state={job ? 'pending' : selected ? 'selected' : checked && 'checked'}
      className="invitation"
      title={
        <span className="invitation-line">
          <Asking item={item} box={box} />
          {!job && (
            <span className="row-trailing">
              <Time at={item.sent_at} form="age" />
            </span>
          )}
        </span>
      }
      meta={
        <span className="invitation-second">
          {failure ? (
            <span className="invitation-error">{reasonOf(failure.error)}</span>
          ) : (
            <>
              <bdi className="one-line">{item.swarm.name}</bdi>
              <RoleChip role={item.resource_type} label={t.shell.roles[item.resource_type]} />
            </>
          )}
        </span>
      }
      actions={
        <>
          {failure && (
            <p className="visually-hidden" role="alert">
              {t.invitations.failed[failure.answer]}. {reasonOf(failure.error)}
            </p>
          )}
          <div className="invitation-checkbox">{job ? <Icon name="clock" /> : <AnswerCheckbox {...props} />}</div>
          <div className="invitation-actions">
            {job ? (
              <PendingAnswer job={job} id={item.id} />
            ) : failure && isFinal(failure.error) ? (
              <Button size="row" tabIndex={tabIndex} onClick={() => actions.dismiss(item)}>
                {t.invitations.dismiss}
              </Button>
            ) : (
              <AnswerButtons {...props} />
            )}
          </div>
        </>
      }
      onSelect={() => actions.select(item)}
    />
  );
});

function Asking({ item, box }: { item: InvitationItem; box: Box }) {
  const device = (
    <span className="invitation-device">
      <TruncateMiddle text={deviceName(item)} />
    </span>
  );
  return box === 'received' ? (
    <span className="invitation-asking">
      <Rich text={t.invitations.invited} from={<Who name={item.from} />} device={device} />
    </span>
  ) : (
    <span className="invitation-asking">
      <Rich text={t.invitations.you_invited} to={<Who name={item.to} />} device={device} />
    </span>
  );
}

function Who({ name }: { name: string }) {
  return (
    <bdi className="invitation-user" title={name}>
      {name}
    </bdi>
  );
}

function AnswerCheckbox({ item, box, checked, tabIndex, actions }: InvitationRowProps) {
  return (
    <RowCheckbox
      label={
        <Rich
          text={box === 'received' ? t.invitations.select : t.invitations.select_sent}
          from={<Bdi>{item.from}</Bdi>}
          to={<Bdi>{item.to}</Bdi>}
          device={<Bdi>{deviceName(item)}</Bdi>}
        />
      }
      tabIndex={tabIndex}
      checked={checked}
      onToggle={(range) => actions.toggle(item.id, range)}
    />
  );
}

function AnswerButtons({ item, box, tabIndex, actions }: InvitationRowProps) {
  const button = (answer: Answer, look: 'accent' | 'quiet') => (
    <Button look={look} size="row" sends tabIndex={tabIndex} onClick={() => actions.answer(answer, item)}>
      {t.invitations[answer]}{' '}
      <span className="visually-hidden">
        <Bdi>{deviceName(item)}</Bdi>, <Bdi>{item.swarm.name}</Bdi>
      </span>
    </Button>
  );
  if (box === 'sent') return button('withdraw', 'quiet');
  return (
    <>
      {button('accept', 'accent')}
      {button('reject', 'quiet')}
    </>
  );
}

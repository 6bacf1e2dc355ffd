import { memo, useLayoutEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { Box } from '../../../api/query-keys.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { atTextSize, phone as phoneQuery, touch, useMedia } from '../../../ui/media.ts';
import { Rich } from '../../../ui/rich.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Row } from '../../../ui/row.tsx';
import { SkeletonRow } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import type { ListSection } from '../../../ui/virtual-list.tsx';
import { isFinal, PendingAnswer, reasonOf, useAnswerFailure, useAnswerJob } from '../answers.job.tsx';
import { deviceName } from '../invitations.api.ts';
import type { Answer, BoxSide } from '../invitations.api.ts';
import type { Inbox } from './use-inbox.ts';
import './inbox-page.css';
import './inbox-list.css';

/** The next page is loaded when this many rows are left. */
const nearEnd = 26;

/** Open invitations and history, each under its heading. */
export function InboxList({
  inbox,
  openHead,
  historyHead,
}: {
  inbox: Inbox;
  openHead: ReactNode;
  historyHead: ReactNode;
}) {
  const { open, history, url, setUrl, checked } = inbox;
  const phone = useMedia(phoneQuery);
  const onTouch = useMedia(touch);

  // Stable functions, so that a memoised row renders only if its own data changes.
  const actions = useStableFunctions<RowActions>({
    select: (item: InvitationItem) => setUrl({ selected: item.id }, { push: phone }),
    toggle: inbox.toggle,
    answer: inbox.answer,
    dismiss: inbox.dismiss,
  });
  const sectionOf = (side: BoxSide): Pick<ListSection, 'rows' | 'count' | 'loadAll' | 'onVisible'> => ({
    rows: side.rows,
    count: side.total,
    loadAll: side.loadAll,
    onVisible: ({ end }) => {
      if (end >= side.rows.length - nearEnd) side.loadMore();
    },
  });
  const rowProps = (item: InvitationItem, tabIndex: 0 | -1) => ({
    item,
    box: url.box,
    selected: item.id === url.selected,
    tabIndex,
    actions,
  });
  return (
    <VirtualList
      handle={inbox.list}
      busy={open.changing}
      selected={url.selected}
      keepPlace
      onMove={(id) => {
        // Shortcuts apply to the selected invitation.
        if (!phone) setUrl({ selected: id });
      }}
      renderArrivals={(count) => (
        <div className="inbox-arrivals">
          <Button look="primary" size="small" icon="back" onClick={() => inbox.list.current?.scrollToTop()}>
            {t.invitations.new_above(formatNumber(count))}
          </Button>
        </div>
      )}
      sections={[
        {
          ...sectionOf(open),
          label: t.invitations.needs_answer,
          head: openHead,
          rowHeight: atTextSize(phone ? 148 : onTouch ? 96 : 76),
          renderRow(row, tabIndex) {
            const item = open.rows.at(row);
            return item ? (
              <InvitationRow {...rowProps(item, tabIndex)} checked={checked.has(item.id)} />
            ) : (
              <SkeletonRow badge={false} />
            );
          },
        },
        {
          ...sectionOf(history),
          label: t.invitations.history,
          head: historyHead,
          rowHeight: atTextSize(60),
          renderRow(row, tabIndex) {
            const item = history.rows.at(row);
            return item ? <HistoryRow {...rowProps(item, tabIndex)} /> : <SkeletonRow badge={false} />;
          },
        },
      ]}
    />
  );
}

/** Returns the same functions for as long as the component is mounted. Each calls its latest version. */
function useStableFunctions<T extends object>(functions: T): T {
  const [{ stable, update }] = useState(() => wrap(functions));
  useLayoutEffect(() => update(functions));
  return stable;
}

function wrap<T extends object>(functions: T) {
  let latest = functions;
  const stable = Object.fromEntries(
    Object.keys(functions).map((name) => {
      const call = (...args: unknown[]) => (latest[name as keyof T] as (...args: unknown[]) => unknown)(...args);
      return [name, call];
    }),
  ) as T;
  const update = (next: T) => {
    latest = next;
  };
  return { stable, update };
}

interface RowActions {
  select(item: InvitationItem): void;
  toggle(id: string, range: boolean): void;
  answer(answer: Answer, item: InvitationItem): void;
  dismiss(item: InvitationItem): void;
}

interface RowProps {
  item: InvitationItem;
  box: Box;
  selected: boolean;
  checked: boolean;
  tabIndex: 0 | -1;
  actions: RowActions;
}

/** An open invitation: who invites which device to which swarm, in which role, and since when. */
const InvitationRow = memo(function InvitationRow(props: RowProps) {
  const { item, box, selected, checked, tabIndex, actions } = props;
  const job = useAnswerJob(item.id);
  const failure = useAnswerFailure(item.id);
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
          <div className="invitation-checkbox">
            {job ? <Icon name="clock" /> : <AnswerCheckbox {...{ item, box, checked, tabIndex, actions }} />}
          </div>
          <div className="invitation-actions">
            {job ? (
              <PendingAnswer job={job} id={item.id} />
            ) : failure && isFinal(failure.error) ? (
              <Button size="row" tabIndex={tabIndex} onClick={() => actions.dismiss(item)}>
                {t.invitations.dismiss}
              </Button>
            ) : (
              <AnswerButtons {...{ item, box, tabIndex, actions }} />
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

function AnswerCheckbox({
  item,
  box,
  checked,
  tabIndex,
  actions,
}: Pick<RowProps, 'item' | 'box' | 'checked' | 'actions'> & { tabIndex: number }) {
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

function AnswerButtons({
  item,
  box,
  tabIndex,
  actions,
}: Pick<RowProps, 'item' | 'box' | 'actions'> & { tabIndex: number }) {
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

/** An answered invitation. */
const HistoryRow = memo(function HistoryRow(props: Omit<RowProps, 'checked'>) {
  const { item, box, selected, tabIndex, actions } = props;
  const user = box === 'received' ? item.from : item.to;
  return (
    <Row
      id={item.id}
      tabIndex={tabIndex}
      state={selected && 'selected'}
      className="invitation-past"
      leading={<Icon name={item.status === 'accepted' ? 'check' : 'close'} size={16} />}
      title={
        <span className="invitation-asking">
          <bdi className="invitation-past-user" title={user}>
            {user}
          </bdi>{' '}
          ·{' '}
          {item.device ? (
            <span className="invitation-past-device">
              <TruncateMiddle text={item.device.name} />
            </span>
          ) : (
            <i>{box === 'received' ? deviceName(item) : t.invitations.their_device}</i>
          )}
        </span>
      }
      meta={
        <>
          <Bdi>{item.swarm.name}</Bdi> · {t.shell.roles[item.resource_type]}
        </>
      }
      trailing={
        <>
          {t.invitations.done[item.status]}
          <Time at={item.changed_at} />
        </>
      }
      onSelect={() => actions.select(item)}
    />
  );
});

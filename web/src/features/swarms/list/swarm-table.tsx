import type { ReactNode } from 'react';
import type { SwarmItem, MachineType, MemberRole } from '@swarmdeck/bff/contract';
import { joinList } from '../../../text/formats.ts';
import { t, formatNumber } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import '../../../ui/lists/table.css';
import './swarm-table.css';
import '../../../ui/lists/row-link.css';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { ButtonLink } from '../../../ui/buttons/button.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import type { NextPageQuery } from '../../../ui/buttons/more-button.tsx';
import { PagedList } from '../../../ui/lists/paged-list.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useRowHeight } from '../../../ui/lists/row-height.ts';
import { Tag } from '../../../ui/symbols/chip.tsx';
import { machineTypes, memberRoles } from '@swarmdeck/bff/field-rules';
import { managesSwarm } from '../swarm-rights.ts';
import './type-shares.css';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';

interface SwarmTableProps {
  kind: 'owned' | 'managed' | 'watched' | 'joined';
  swarms: readonly SwarmItem[];
  count: string;
  /** Loads more rows at the end of the table. */
  query: NextPageQuery;
}

/** Owned, managed, watched or joined swarms. The tables have the same columns at the same places. */
export function SwarmTable({ kind, swarms, count, query }: SwarmTableProps) {
  const rowHeight = useRowHeight({ base: 64, phone: 73, largeText: 132 });
  const title = t.swarms.list[kind];
  return (
    <div className="swarms-box">
      <Box title={title} count={count}>
        {swarms.length === 0 ? (
          <p className="box-part muted swarm-table-none">
            {kind === 'owned' ? t.swarms.list.owned_none : t.swarms.list.joined_none}
          </p>
        ) : (
          <div role="table" aria-label={title} className="swarm-table">
            <div role="row" className="quiet columns swarm-columns">
              <Heading>{t.swarms.list.swarm}</Heading>
              <Heading className="swarm-table-number">{t.swarms.list.members}</Heading>
              <Heading className="swarm-table-shares">{t.swarms.list.shares}</Heading>
              <Heading>
                {kind === 'owned' || kind === 'managed' ? t.swarms.list.invitations : t.swarms.list.own}
              </Heading>
              <Heading className="swarm-table-number swarm-table-age">{t.swarms.list.changed}</Heading>
              <Heading className="swarm-table-actions">
                <span className="visually-hidden">{t.swarms.list.actions}</span>
              </Heading>
              <Heading className="swarm-table-second">{t.swarms.list.members}</Heading>
            </div>
            <PagedList
              isTable
              className="in-page"
              label={title}
              items={swarms}
              query={query}
              rowHeight={rowHeight}
              renderItem={(swarm, tabIndex) => <SwarmTableRow swarm={swarm} tabIndex={tabIndex} />}
            />
          </div>
        )}
      </Box>
    </div>
  );
}

function Heading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span role="columnheader" className={className}>
      {children}
    </span>
  );
}

interface SwarmRowProps {
  swarm: SwarmItem;
  tabIndex: 0 | -1;
}

/** A swarm in two lines. Its name and its whole row link to its page. */
function SwarmTableRow({ swarm, tabIndex }: SwarmRowProps) {
  const { id, name, description, members, member_count, relation } = swarm;
  const destroying = usePending(`swarm:${id}`);
  const own = relation === 'manager' ? rolesOf(swarm.own).reduce((sum, { count }) => sum + count, 0) : 0;
  return (
    <div className={`hoverable swarm-row${destroying ? ' swarm-table-going' : ''}`}>
      <div role="rowheader" className="swarm-table-name">
        <span className="swarm-table-title">
          <Link to={`/swarms/${id}`} className="row-link" tabIndex={tabIndex} data-row={id}>
            <Bdi className="one-line">{name}</Bdi>
          </Link>{' '}
          <OwnerName owner={swarm.user_id} mine={relation === 'owner'} />
          {swarm.public && <Tag>{t.swarms.public}</Tag>}
        </span>
        <Bdi className="swarm-table-description quiet one-line">{description}</Bdi>
      </div>
      <span role="cell" className="swarm-table-number numbers">
        {formatNumber(member_count)}
      </span>
      <span role="cell" className="swarm-table-shares">
        {members && <TypeShares counts={members.machine_type} />}
      </span>
      <span role="cell" className="swarm-table-part">
        {managesSwarm(swarm) ? <OpenInvitations {...swarm} /> : <OwnRoles own={swarm.own} />}
        {own > 0 && (
          <span className="swarm-table-own quiet one-line numbers">{t.swarms.list.own_count(formatNumber(own))}</span>
        )}
      </span>
      <span role="cell" className="swarm-table-number swarm-table-age">
        {destroying ? (
          t.swarms.list.deleting
        ) : members?.changed_at ? (
          <Time at={members.changed_at} form="age" />
        ) : (
          t.swarms.list.never
        )}
      </span>
      <span role="cell" className="swarm-table-actions">
        {destroying ? (
          <UndoButton pending={destroying} size="small" />
        ) : (
          <SwarmLinks swarm={swarm} tabIndex={tabIndex} />
        )}
      </span>
      <span role="cell" className="swarm-table-second">
        {t.swarms.member_count(member_count)}
        {swarm.public && ` · ${t.swarms.public}`}
        {own > 0 && ` · ${t.swarms.list.own_count(formatNumber(own))}`}
      </span>
    </div>
  );
}

/** The requests to join, and the invitations without an answer. */
function OpenInvitations({ invitations }: Pick<SwarmItem, 'invitations'>) {
  const { new: open, requests } = invitations ?? { new: 0, requests: 0 };
  const { open_requests, open_invitations, none_open } = t.swarms.list;
  return (
    <>
      {requests > 0 && (
        <span className="line swarm-table-open numbers">
          <Icon name="inbox" size={16} />
          <b>{open_requests(requests)}</b>
        </span>
      )}
      {(open > 0 || requests === 0) && (
        <span className="line swarm-table-open numbers">
          <Icon name="send" size={16} />
          {open === 0 ? none_open : open_invitations(formatNumber(open))}
        </span>
      )}
    </>
  );
}

/** Where the user goes from the row: to invite or to the members, and to the wall. */
function SwarmLinks({ swarm, tabIndex }: SwarmRowProps) {
  const { id, name } = swarm;
  const { invite_to, open, open_of, wall_of } = t.swarms.list;
  const [to, text, label] = managesSwarm(swarm)
    ? [`/invite?swarm=${id}`, t.swarms.invite, invite_to(name)]
    : [`/swarms/${id}`, open, open_of(name)];
  return (
    <>
      <ButtonLink size="small" tabIndex={tabIndex} to={to} aria-label={label}>
        {text}
      </ButtonLink>
      <ButtonLink
        size="small"
        icon="system"
        tabIndex={tabIndex}
        to={`/swarms/${id}/map`}
        aria-label={wall_of(name)}
        title={t.swarms.wall}
      />
    </>
  );
}

/** A bar with the shares of the machine types. */
function TypeShares({ counts }: { counts: Record<MachineType, number> }) {
  const label = joinList(
    machineTypes.map((type) => t.swarms.list.share(t.shell.machine_types[type], formatNumber(counts[type]))),
  );
  return (
    <span className="type-shares" title={label}>
      <span className="visually-hidden">{label}</span>
      {sharesOf(counts).map(({ type, share }) => (
        <span key={type} className={`type-shares-part type-${type}`} style={{ flexGrow: share }} />
      ))}
    </span>
  );
}

/** The minimum share of the bar for a type, so that a single device is visible. */
const leastShare = 0.03;

/** The machine types with devices, in the order PC, Bug, Smartphone, with their shares of the bar. */
export function sharesOf(counts: Record<MachineType, number>): { type: MachineType; share: number }[] {
  const present = machineTypes.filter((type) => counts[type] > 0);
  const total = present.reduce((sum, type) => sum + counts[type], 0);
  const raised = present.map((type) => Math.max(leastShare, counts[type] / total));
  const whole = raised.reduce((sum, share) => sum + share, 0);
  return present.map((type, index) => ({ type, share: (raised[index] ?? 0) / whole }));
}

/** The roles of the user's devices. */
export function rolesOf(counts: Record<MemberRole, number>): { role: MemberRole; count: number }[] {
  return memberRoles.map((role) => ({ role, count: counts[role] })).filter(({ count }) => count > 0);
}

/**
 * The roles of the user's devices in a swarm. With more than one role, shapes with counts, so that they fit on one
 * line.
 */
function OwnRoles({ own }: { own: Record<MemberRole, number> }) {
  const roles = rolesOf(own);
  return (
    <span className="line gap-1">
      {roles.map(({ role, count }) => {
        const counted = formatNumber(count);
        const label = t.swarms.list.own_devices[role](count);
        if (roles.length === 1) return <RoleChip key={role} role={role} label={label} />;
        return (
          <span key={role} title={label}>
            <span aria-hidden="true">
              <RoleChip role={role} label={counted} />
            </span>
            <span className="visually-hidden">{label} </span>
          </span>
        );
      })}
    </span>
  );
}

/** "by you" or "by gauge-office", beside the name of a swarm. */
function OwnerName({ owner, mine }: { owner: string; mine: boolean }) {
  return (
    <span className="owner-name">
      <Rich text={t.swarms.by} owner={mine ? t.swarms.you_as_owner : <Bdi className="one-line">{owner}</Bdi>} />
    </span>
  );
}

import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { RowCheckbox } from '../../../ui/lists/row-checkbox.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { useRowHeight } from '../../../ui/lists/row-height.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { MemberRowFrame, MemberValue, RoleCell, useMemberRow, type MemberRowProps } from './member-row.tsx';
import { MembersContent } from './members-content.tsx';
import { MembersTable } from './members-table.tsx';
import { MembersTools } from './members-tools.tsx';
import { useMembers } from './members-state.ts';
import { useShownValue } from './use-member-filters.ts';

/** The members on a desk, beside their map. */
export function MembersPanel() {
  const { swarm } = useShownSwarm();
  const { add } = useMembers('dialog');
  const rowHeight = useRowHeight({ base: 48, touch: 64 });
  const addButton = swarm.relation === 'owner' && (
    <Button icon="plus" onClick={add}>
      {t.members.add}
    </Button>
  );
  return (
    <section className="column members-list" aria-label={t.members.table}>
      <div className="members-head">
        <MembersTools add={addButton} />
      </div>
      <MembersContent table={<MembersTable head={<Columns />} rowHeight={rowHeight} Row={DeskRow} />} />
    </section>
  );
}

/** The bar of the selection covers the headings. */
function Columns() {
  const { checked, check } = useMembers('selection');
  const { isActive, total } = checked;
  const { valueKey } = useShownValue();
  const all = t.bulk.selection.all(formatNumber(total ?? 0));
  return (
    <div role="row" className={isActive ? 'visually-hidden' : 'quiet columns members-columns'}>
      <span role="columnheader" className="members-all">
        {isActive ? t.members.selected : <RowCheckbox label={all} checked={false} onToggle={check.all} />}
      </span>
      <span role="columnheader">{t.members.device}</span>
      <span role="columnheader" className="muted member-owner one-line">
        {t.members.owner}
      </span>
      <span role="columnheader">{t.members.role}</span>
      <span role="columnheader" className="muted member-age one-line">
        {valueKey === undefined ? t.members.heard : <Bdi>{valueKey}</Bdi>}
      </span>
      <span role="columnheader" className="visually-hidden">
        {t.members.actions}
      </span>
    </div>
  );
}

function DeskRow(props: MemberRowProps) {
  const { member } = props;
  const { isMine, change, owner } = useMemberRow(member);
  return (
    <MemberRowFrame
      {...props}
      change={change}
      small
      {...(member.ends_at !== undefined && { meta: <UntilDate at={member.ends_at} /> })}
      cells={
        <>
          <span
            role="cell"
            className={isMine ? 'muted member-owner one-line member-mine' : 'muted member-owner one-line'}
          >
            {owner}
          </span>
          <RoleCell member={member} />
          <span role="cell" className="muted member-age">
            <MemberValue member={member} />
          </span>
        </>
      }
    />
  );
}

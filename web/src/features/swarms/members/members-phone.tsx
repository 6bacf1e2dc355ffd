import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { t } from '../../../text/text.ts';
import { IconButton } from '../../../ui/buttons/button.tsx';
import { atTextSize } from '../../../ui/browser/media.ts';
import { Sheet } from '../../../ui/sheet/sheet.tsx';
import { SwarmTabs } from '../swarm-tabs.tsx';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { MemberRowFrame, MemberValue, RoleCell, useMemberRow, type MemberRowProps } from './member-row.tsx';
import { MembersContent } from './members-content.tsx';
import { MembersTable } from './members-table.tsx';
import { MembersTools } from './members-tools.tsx';
import { useMembers } from './members-state.ts';
import '../../../ui/lists/ends-visible.css';

/** The members on a phone: in a sheet over their map, with the tabs of the swarm at its head. */
export function MembersSheet() {
  const { swarm } = useShownSwarm();
  const { stop, setStop, setHeight } = useMembers('sheet');
  const { add } = useMembers('dialog');
  const addButton = swarm.relation === 'owner' && <IconButton icon="plus" label={t.members.add} onClick={add} />;
  return (
    <Sheet label={t.members.table} handleLabel={t.members.sheet} stop={stop} onStop={setStop} onHeight={setHeight}>
      <div className="members-head">
        <SwarmTabs />
        {/* The on-screen keyboard leaves no space for rows at half height. */}
        <MembersTools add={addButton} onSearch={() => setStop('list')} />
      </div>
      <MembersContent table={<MembersTable head={<Columns />} rowHeight={atTextSize(64)} Row={PhoneRow} />} />
    </Sheet>
  );
}

/** There is no space for headings, but a screen reader says them. */
function Columns() {
  return (
    <div role="row" className="visually-hidden">
      <span role="columnheader">{t.members.selected}</span>
      <span role="columnheader">{t.members.device}</span>
      <span role="columnheader">{t.members.role}</span>
      <span role="columnheader">{t.members.actions}</span>
    </div>
  );
}

/** The owner and the age are in the line below the name. */
function PhoneRow(props: MemberRowProps) {
  const { member } = props;
  const { change, owner } = useMemberRow(member);
  return (
    <MemberRowFrame
      {...props}
      change={change}
      meta={
        change ? (
          owner
        ) : (
          <span className="ends-visible">
            <span>{owner}</span> ·{' '}
            {member.ends_at !== undefined && (
              <>
                <UntilDate at={member.ends_at} /> ·{' '}
              </>
            )}
            <MemberValue member={member} />
          </span>
        )
      }
      cells={<RoleCell member={member} />}
    />
  );
}

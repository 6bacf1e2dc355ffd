import type { ReactNode } from 'react';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { managesSwarm } from '../swarm-rights.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { useMembers } from './members-state.ts';
import { useMemberFilters } from './use-member-filters.ts';

/** The table of the members, or why there is none. */
export function MembersContent({ table }: { table: ReactNode }) {
  const query = useMembers('query');
  const { rows } = useMembers('list');
  const { isFiltered, change } = useMemberFilters();
  if (query.isPending) return <SkeletonRows count={10} label={t.swarms.loading} />;
  if (rows.length > 0) return table;
  if (query.error) return <LoadFailed title={t.members.error_title} query={query} />;
  if (!isFiltered) return <NoMembers />;
  return (
    <Empty icon="search" title={t.members.no_match_title} text={t.members.no_match_text}>
      <Button onClick={() => change(() => ({}))}>{t.members.clear}</Button>
    </Empty>
  );
}

/** A swarm without members, to which devices may be being added. */
export function NoMembers() {
  const { swarm } = useShownSwarm();
  const { add } = useMembers('dialog');
  const isAdding = useActions().some(
    ({ kind, state, about }) => kind === 'add_member' && state !== 'ended' && about.swarm.id === swarm.id,
  );
  if (isAdding) return <Empty icon="device" title={t.members.adding_title} text={t.members.adding_text} />;
  return (
    <Empty icon="device" title={t.members.empty_title} text={t.members.empty_text(swarm.relation)}>
      {managesSwarm(swarm) && (
        <div className="line">
          {swarm.relation === 'owner' && (
            <Button icon="plus" onClick={add}>
              {t.members.add}
            </Button>
          )}
          <ButtonLink look="primary" icon="send" to={`/invite?swarm=${swarm.id}`}>
            {t.swarms.invite}
          </ButtonLink>
        </div>
      )}
    </Empty>
  );
}

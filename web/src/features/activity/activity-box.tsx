import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { accountQuery } from '../../shared/account/account.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { ActionLine, useDeviceChanges } from './action-list.tsx';
import { newestActivityQuery, type ActivityFilter } from './activity.api.ts';
import { groupsOf, isNewTo, moreOf } from './activity-groups.ts';
import { ActivityGroupLine } from './activity-line.tsx';

const everything: ActivityFilter = {};
const shownGroups = 5;

/**
 * The newest entries of the log, with a link to all of them. Without a device or a swarm: of the whole account. Among those of a
 * device are the user's own actions on it.
 */
export function ActivityBox({ id, filter = everything }: { id?: string; filter?: ActivityFilter }) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const { query, first: page } = usePagedQuery(newestActivityQuery(filter));
  const changes = useDeviceChanges(filter.resource_id);
  const groups = groupsOf(page?.items ?? []);
  const unread = page && filter.resource_id === undefined && filter.swarm_id === undefined ? page.unread : 0;
  const lines = [
    ...changes.map((action) => ({
      at: action.ended_at ?? action.created_at,
      line: <ActionLine key={action.id} action={action} />,
    })),
    ...groups.slice(0, shownGroups).map((group, index) => ({
      at: group.entries[0].at,
      line: (
        <ActivityGroupLine
          key={group.entries[0].id}
          group={group}
          user_id={user_id}
          isUnread={isNewTo(user_id, page?.read)}
          more={query.hasNextPage && page && index === groups.length - 1 ? moreOf(group, page) : 0}
        />
      ),
    })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const search = new URLSearchParams({ ...filter }).toString();
  return (
    <Box
      {...(id !== undefined && { id })}
      title={t.activity.title}
      count={unread > 0 ? t.activity.unread_count(formatNumber(unread)) : undefined}
      action={groups.length > 0 && <Link to={{ pathname: '/activity', search }}>{t.activity.show_all}</Link>}
    >
      <SectionState query={{ ...query, data: page }}>
        {() =>
          lines.length === 0 ? (
            <p className="box-row quiet">{t.activity.empty_title}</p>
          ) : (
            <ul>{lines.map(({ line }) => line)}</ul>
          )
        }
      </SectionState>
    </Box>
  );
}

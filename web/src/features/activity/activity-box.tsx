import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/box.tsx';
import { Link } from '../../ui/router.tsx';
import { accountQuery } from '../../shared/account/account.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { DeviceChanges, useDeviceChanges } from './action-list.tsx';
import { newestActivityQuery, type ActivityFilter } from './activity.api.ts';
import { groupsOf, isNewTo } from './activity-groups.ts';
import { ActivityGroupLine } from './activity-line.tsx';

const everything: ActivityFilter = {};
const shownGroups = 5;

/** The newest entries of the log, with a link to all of them. Without a device or a swarm: of the whole account. */
export function ActivityBox({ id, filter = everything }: { id?: string; filter?: ActivityFilter }) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const { query, first: page } = usePagedQuery(newestActivityQuery(filter));
  const changes = useDeviceChanges(filter.resource_id);
  const groups = groupsOf(page?.items ?? []);
  const unread = page && filter.resource_id === undefined && filter.swarm_id === undefined ? page.unread : 0;
  const search = new URLSearchParams({ ...filter }).toString();
  return (
    <Box
      {...(id !== undefined && { id })}
      title={t.activity.title}
      count={unread > 0 ? t.activity.unread_count(formatNumber(unread)) : undefined}
      action={groups.length > 0 && <Link to={{ pathname: '/activity', search }}>{t.activity.show_all}</Link>}
    >
      {changes.length > 0 && <DeviceChanges actions={changes} />}
      <SectionState query={{ ...query, data: page }}>
        {({ items }) =>
          items.length === 0 ? (
            changes.length === 0 && <p className="box-row quiet">{t.activity.empty_title}</p>
          ) : (
            <ul>
              {groups.slice(0, shownGroups).map((group, index) => (
                <ActivityGroupLine
                  key={group.entries[0].id}
                  group={group}
                  user_id={user_id}
                  isUnread={isNewTo(user_id, page?.read)}
                  isOpen={query.hasNextPage && index === groups.length - 1}
                />
              ))}
            </ul>
          )
        }
      </SectionState>
    </Box>
  );
}

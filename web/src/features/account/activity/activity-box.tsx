import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Link } from '../../../ui/router.tsx';
import { accountQuery } from '../account.api.ts';
import { SectionState } from '../section-state.tsx';
import { newestActivityQuery } from './activity.api.ts';
import type { ActivityFilter } from './activity.api.ts';
import { ActivityLine } from './activity-line.tsx';

const everything: ActivityFilter = {};

/** The newest entries of the log, with a link to all of them. Without a device or a swarm: of the whole account. */
export function ActivityBox({ id, filter = everything }: { id?: string; filter?: ActivityFilter }) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const query = useInfiniteQuery(newestActivityQuery(filter));
  const page = query.data?.pages[0];
  const unread = page && filter.resource_id === undefined && filter.swarm_id === undefined ? page.unread : 0;
  const search = new URLSearchParams({ ...filter }).toString();
  return (
    <Box
      {...(id !== undefined && { id })}
      title={t.activity.title}
      count={unread > 0 ? t.activity.unread_count(formatNumber(unread)) : undefined}
      action={page && page.next !== null && <Link to={{ pathname: '/activity', search }}>{t.activity.show_all}</Link>}
    >
      <SectionState query={{ ...query, data: page }}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="box-row box-row-line">{t.activity.empty_title}</p>
          ) : (
            <ul>
              {items.map((entry) => (
                <ActivityLine key={entry.id} entry={entry} user_id={user_id} isUnread={false} />
              ))}
            </ul>
          )
        }
      </SectionState>
    </Box>
  );
}

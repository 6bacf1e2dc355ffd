import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '../../../api/paged-query.ts';
import { t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Link } from '../../../ui/router.tsx';
import { accountQuery } from '../account.api.ts';
import { newestActivityQuery } from './activity.api.ts';
import { ActivityLine, isEndOfSwarm } from './activity-line.tsx';

const mostShown = 3;

/** The newest swarms that other users have deleted, with the user's devices in them. Their invitations are deleted too. */
export function DeletedSwarms() {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const page = usePagedQuery(newestActivityQuery({ topic: 'swarm' })).first;
  const ended = page?.items.filter(isEndOfSwarm) ?? [];
  if (!page || ended.length === 0) return null;
  return (
    <div className="deleted-swarms">
      <Box
        title={t.activity.deleted_swarms}
        action={<Link to={{ pathname: '/activity', search: 'topic=swarm' }}>{t.activity.show_all}</Link>}
      >
        <ul>
          {ended.slice(0, mostShown).map((entry) => (
            <ActivityLine key={entry.id} entry={entry} user_id={user_id} isUnread={({ id }) => id > page.read} />
          ))}
        </ul>
      </Box>
    </div>
  );
}

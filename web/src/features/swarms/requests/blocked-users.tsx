import { useQuery } from '@tanstack/react-query';
import { errorSentence } from '../../../data/problem.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { blockedQuery, useUnblock } from './requests.api.ts';
import './requests.css';

/** The users who may not ask to join the swarm. Renders nothing if there are none. */
export function BlockedUsers({ swarm_id }: { swarm_id: string }) {
  const users = useQuery(blockedQuery(swarm_id)).data;
  const unblock = useUnblock(swarm_id);
  if (!users || users.length === 0) return null;
  return (
    <Box title={t.requests.blocked} count={formatNumber(users.length)}>
      <ul aria-label={t.requests.blocked}>
        {users.map(({ user_id }) => (
          <li key={user_id} className="box-row wraps request-row">
            <span className="box-row-words">
              <Bdi>{user_id}</Bdi>
            </span>
            <Button
              size="small"
              sends
              aria-label={t.requests.unblock_of(user_id)}
              busy={unblock.isPending && unblock.variables === user_id}
              onClick={() => unblock.mutate(user_id)}
            >
              {t.requests.unblock}
            </Button>
          </li>
        ))}
      </ul>
      {unblock.error && (
        <p className="box-row bad" role="alert">
          {errorSentence(unblock.error)}
        </p>
      )}
    </Box>
  );
}

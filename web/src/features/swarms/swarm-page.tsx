import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useGone } from '../../data/use-gone.ts';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import { useStaysForInput } from '../../ui/fields/unsaved-input.ts';
import { RecordLoading } from '../../ui/pages/record-loading.tsx';
import { GuestView } from './guest-view.tsx';
import { backToSwarms } from './swarm-head.tsx';
import './swarm-page.css';
import { SwarmView } from './swarm-view.tsx';
import { swarmQuery } from './swarms.api.ts';

interface SwarmPageProps {
  id: string;
  user_id: string;
  /** The map of the members. */
  map: ReactNode;
  /** What happened to the swarm, for its owner. */
  activity: ReactNode;
  /** What its devices say. */
  messages: ReactNode;
  /** The values of the swarm over time. */
  values: ReactNode;
  /** Links that show members, for its owner. */
  shareLinks: ReactNode;
}

/** The page of one swarm. `user_id` is the signed-in user. The route passes the map. */
export function SwarmPage({ id, user_id, map, activity, messages, values, shareLinks }: SwarmPageProps) {
  const read = useQuery(swarmQuery(id));
  const isGone = useGone(id, read);
  const stays = useStaysForInput(isGone);
  usePageTitle(read.data?.swarm.name ?? '');
  if (read.data && (!isGone || stays)) {
    const { swarm } = read.data;
    if (swarm.relation === 'guest') return <GuestView swarm={swarm} user_id={user_id} />;
    return (
      <SwarmView
        key={swarm.id}
        read={read.data}
        isGone={isGone}
        user_id={user_id}
        map={map}
        messages={messages}
        values={values}
        shareLinks={shareLinks}
        activity={activity}
      />
    );
  }
  return (
    <div className="page swarm-page">
      <RecordLoading
        query={read}
        head={{ className: 'swarm-head', back: backToSwarms() }}
        texts={{ loading: t.swarms.loading, failed: t.swarms.page.error_title }}
        rows={{ count: 8 }}
        gone={
          isGone && (
            <Empty level={1} icon="search" title={t.swarms.page.not_found_title} text={t.swarms.page.not_found_text}>
              <ButtonLink to="/swarms">{t.swarms.page.all}</ButtonLink>
            </Empty>
          )
        }
      />
    </div>
  );
}

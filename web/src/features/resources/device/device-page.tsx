import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorParts, isGone } from '../../../api/problem.ts';
import { problemSentence, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { resourceQuery } from '../resources.api.ts';
import { useBack } from './device-head.tsx';
import './device-page.css';
import type { RenderPositionMap } from './device-position-map.tsx';
import { DeviceView } from './device-view.tsx';
import type { RenderInvite } from './device-view.tsx';

/** The page of one device. `user_id` is the signed-in user. */
export function DevicePage(props: {
  id: string;
  user_id: string;
  renderMap: RenderPositionMap;
  renderInvite: RenderInvite;
  invitations: ReactNode;
  activity: ReactNode;
}) {
  const read = useQuery(resourceQuery(props.id));
  const back = useBack();
  usePageTitle(read.data?.resource.name ?? '');
  if (read.data) {
    return (
      <DeviceView key={read.data.resource.id} {...props} read={read.data} destroyedElsewhere={isGone(read.error)} />
    );
  }
  return (
    <div className="page device-page">
      <PageHead back={back} />
      {read.isPending ? (
        <SkeletonRows count={6} badge={false} label={t.devices.loading} />
      ) : isGone(read.error) ? (
        <Empty level={1} icon="search" title={t.device.page.gone_title} text={t.device.page.gone_text}>
          <ButtonLink to="/">{t.device.page.all_devices}</ButtonLink>
        </Empty>
      ) : (
        <div role="alert">
          <Empty
            level={1}
            icon="cloud-off"
            title={t.device.page.error_title}
            text={problemSentence(errorParts(read.error))}
          >
            <Button onClick={() => void read.refetch()}>{t.devices.retry}</Button>
          </Empty>
        </div>
      )}
    </div>
  );
}

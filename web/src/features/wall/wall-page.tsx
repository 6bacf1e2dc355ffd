import { useRef } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { machineTypes, memberRoles } from '@swarmdeck/bff/limits';
import { t } from '../../text/text.ts';
import { phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useIdle } from './use-idle.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { useWallInsets } from './use-wall-insets.ts';
import { useWall } from './use-wall.ts';
import type { Wall as WallState } from './use-wall.ts';
import { WallClock } from './wall-clock.tsx';
import { LayersOff } from './wall-legend.tsx';
import type { LegendProps } from './wall-legend.tsx';
import type { RenderWallMap } from './wall-map.ts';
import './wall-page.css';
import { WallPanel } from './wall-panel.tsx';
import type { WallParts } from './wall-props.ts';
import { WallBar, WallSheet } from './wall-phone.tsx';
import { WallAnnouncer } from './wall-announcer.tsx';
import { WallEmpty, WallFault, wallFault } from './wall-state.tsx';

export interface WallProps extends Pick<WallParts, 'audience' | 'swarm' | 'leaveTo' | 'views'> {
  /** The selected device from the event stream. */
  liveDevice: Resource | undefined;
  renderMap: RenderWallMap;
}

/** A full-screen map of devices that runs for days, with counts and the state of the connection. */
export function Wall({ audience, swarm, leaveTo, views, liveDevice, renderMap }: WallProps) {
  usePageTitle(swarm ? t.wall.title(swarm.name) : t.wall.everything_title);
  useWakeLock();
  const wall = useWall({ audience, liveDevice });
  const phone = useMedia(phoneQuery);
  const idle = useIdle();
  const bar = useRef<HTMLElement>(null);
  const sheet = useRef<HTMLElement>(null);
  const insets = useWallInsets({ phone, bar, sheet, withList: wall.url.list });
  const { url, setUrl, counts } = wall;
  const fault = wallFault({ error: counts.error, hasCounts: counts.data !== undefined });
  const known = counts.data?.building === undefined ? counts.data : undefined;
  const legend: LegendProps = {
    counts: known,
    layers: url.layers,
    onLayers: (layers) => setUrl({ layers }),
    withRoles: swarm !== null,
    byChange: url.byChange,
    onByChange: (byChange) => setUrl({ byChange }),
  };
  const parts = { wall, audience, swarm, leaveTo, views, legend, counts: known };
  if (fault) {
    return (
      <div className="wall wall-fault">
        <WallFault
          fault={fault}
          error={counts.error}
          busy={counts.isFetching}
          leaveTo={leaveTo}
          onRetry={() => void counts.refetch()}
        />
      </div>
    );
  }
  return (
    <div className={`wall${idle ? ' wall-idle' : ''}${url.list ? ' wall-with-list' : ''}`}>
      <div className="wall-map">{renderMap({ ...wall.onMap, label: t.wall.map, insets })}</div>
      {phone ? <WallBar {...parts} place={bar} /> : <WallPanel {...parts} />}
      <Notice wall={wall} swarm={swarm !== null} />
      {phone ? <WallSheet {...parts} place={sheet} /> : <WallClock />}
      <WallAnnouncer counts={known} placed={wall.placed} answered={counts} />
    </div>
  );
}

/** Explains why the map is empty. */
function Notice({ wall, swarm }: { wall: WallState; swarm: boolean }) {
  const { counts, nothingOn, setUrl } = wall;
  const { total, unplaced, building } = counts.data ?? {};
  if (total === undefined || unplaced === undefined || building !== undefined) return null;
  if (total === 0) {
    return swarm ? (
      <WallEmpty title={t.wall.empty_swarm} text={t.wall.empty_swarm_text} />
    ) : (
      <WallEmpty title={t.wall.empty} text={t.wall.empty_text} />
    );
  }
  if (total === unplaced) {
    return <WallEmpty title={t.wall.nowhere} text={t.wall.nowhere_text(total)} />;
  }
  if (!nothingOn) return null;
  return <LayersOff onShowAll={() => setUrl({ layers: { machine_type: machineTypes, resource_type: memberRoles } })} />;
}

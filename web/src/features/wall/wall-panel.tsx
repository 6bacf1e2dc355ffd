import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button, ButtonLink, IconButton } from '../../ui/buttons/button.tsx';
import { low as lowQuery, useMedia } from '../../ui/browser/media.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import { WallCard, WallCounts, WallLive, WallNewest, FollowButton, WallList, WallTitle } from './wall-parts.tsx';
import { WallLegend } from './wall-legend.tsx';
import './wall-panel.css';

/**
 * The parts over the map on a desk: panel, buttons and the card of the selected device. On a low screen the legend is
 * closed at first.
 */
export function WallPanel({ views }: { views: ReactNode }) {
  const { swarm, leaveTo } = useWall('place');
  const [{ selected }] = useWallUrl();
  const list = useWall('list');
  const fullScreen = useFullScreen();
  const low = useMedia(lowQuery);
  const { isOpenInPanel: open, setOpenInPanel: setOpen } = useWall('legend');
  return (
    <>
      <section className="floating wall-panel" aria-label={t.wall.panel} data-over-map>
        <header className="stack wall-head">
          <div className="fill wall-title">
            <WallTitle />
            {swarm && swarm.user_id !== '' && (
              <p className="quiet">
                <Rich text={t.wall.by} owner={<Bdi>{swarm.user_id}</Bdi>} />
              </p>
            )}
          </div>
          <WallLive />
        </header>
        <WallCounts />
        <WallNewest />
        {low && (
          <Button size="small" icon="list" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t.wall.legend}
          </Button>
        )}
        {(open || !low) && (
          <div className="stack wall-legend">
            <WallLegend />
          </div>
        )}
      </section>
      <div className="line wall-buttons" data-over-map>
        <Button icon="list" aria-pressed={list.isOpen} onClick={list.toggle}>
          {t.wall.list}
        </Button>
        <FollowButton />
        {views}
        {fullScreen && (
          <IconButton
            icon="expand"
            label={fullScreen.on ? t.wall.end_full_screen : t.wall.full_screen}
            aria-pressed={fullScreen.on}
            onClick={fullScreen.toggle}
          />
        )}
        <ButtonLink icon="close" to={leaveTo}>
          {t.wall.leave}
        </ButtonLink>
      </div>
      {list.isOpen && <WallList />}
      {selected !== null && (
        <div className="floating wall-corner" data-over-map>
          <WallCard />
        </div>
      )}
    </>
  );
}

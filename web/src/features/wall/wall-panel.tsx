import { useState } from 'react';
import { t } from '../../text/text.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { WallCard } from './wall-card.tsx';
import { WallCounts, WallLive, WallNewest, FollowButton, WallList, WallTitle, type WallParts } from './wall-parts.tsx';
import { WallLegend } from './wall-legend.tsx';
import './wall-panel.css';

interface WallPanelProps extends WallParts {
  low: boolean;
}

/**
 * The parts over the map on a large screen: panel, buttons and the card of the selected device. On a low screen the
 * legend is closed at first.
 */
export function WallPanel({ wall, audience, swarm, leaveTo, views, legend, low }: WallPanelProps) {
  const [open, setOpen] = useState(false);
  const { fullScreen } = wall;
  const { counts } = legend;
  return (
    <>
      <section className="floating wall-panel" aria-label={t.wall.panel} data-over-map>
        <header className="stack wall-head">
          <div className="fill wall-title">
            <WallTitle swarm={swarm} />
            {swarm && swarm.user_id !== '' && (
              <p className="quiet">
                <Rich text={t.wall.by} owner={<Bdi>{swarm.user_id}</Bdi>} />
              </p>
            )}
          </div>
          <WallLive audience={audience} />
        </header>
        <WallCounts counts={counts} placed={wall.placed} />
        <WallNewest audience={audience} counts={counts} />
        {low && (
          <Button size="small" icon="list" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t.wall.legend}
          </Button>
        )}
        {(open || !low) && (
          <div className="stack wall-legend">
            <WallLegend {...legend} />
          </div>
        )}
      </section>
      <div className="line wall-buttons" data-over-map>
        <Button icon="list" aria-pressed={wall.url.list} onClick={wall.toggleList}>
          {t.wall.list}
        </Button>
        <FollowButton wall={wall} />
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
      {wall.url.list && <WallList wall={wall} />}
      {wall.url.selected !== null && (
        <div className="floating wall-corner" data-over-map>
          <WallCard wall={wall} swarm_id={swarm?.id} />
        </div>
      )}
    </>
  );
}

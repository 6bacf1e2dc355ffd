import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { createPreference, usePreference } from '../../ui/browser/preference.ts';
import { useIdle } from '../../ui/browser/use-idle.ts';
import { savedViewsQuery } from './saved-views.api.ts';
import { isSameView, partsOf, viewPageOf } from './view-url.ts';

/** Whether the walls of this browser show the saved walls in turn. */
export const viewRotation = createPreference({ key: 'wall_rotation', values: ['off', 'on'] });

/** In ms since the view was opened, and since the last input. */
const everyMs = 30_000;

/** Opens the next saved wall every 30 s, while nobody uses the page. `shown`: the URL of this one; null: not on a wall. */
export function useViewRotation(shown: string | null): void {
  const isOn = usePreference(viewRotation) === 'on' && shown !== null;
  const views = useQuery({ ...savedViewsQuery, enabled: isOn }).data?.items;
  const navigate = useNavigate();
  const isIdle = useIdle(isOn ? everyMs : null);
  const openNext = useEffectEvent(() => {
    if (document.hidden) return;
    const walls = (views ?? []).filter(({ url }) => viewPageOf(partsOf(url).pathname)?.kind === 'wall');
    const place = walls.findIndex(({ url }) => isSameView(url, shown ?? ''));
    const next = walls.at((place + 1) % walls.length);
    // Without an entry in the history: it runs for days.
    if (next) void navigate(next.url, { replace: true });
  });
  useEffect(() => {
    if (!isIdle) return undefined;
    openNext();
    const timer = setInterval(openNext, everyMs);
    return () => clearInterval(timer);
  }, [isIdle]);
}

import { useQuery } from '@tanstack/react-query';
import type { ShareLink } from '@swarmdeck/bff/contract';
import { EndTime } from '../../shared/ends/until-date.tsx';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { shareLinksQuery } from './share-links.api.ts';

export const shareLinksBoxId = 'share-links';

/** Who sees an own device by its open links, in a sentence that leads to them. Nothing without one. */
export function ShareLinksLine({ resource_id }: { resource_id: string }) {
  const { data: links = [] } = useQuery(shareLinksQuery({ resource_id }));
  if (links.length === 0) return null;
  const { expires_at, viewers } = togetherOf(links);
  return (
    <div className="box-row line wraps spread">
      <p>
        <Rich text={t.share_links.shown_by(links.length)} date={<EndTime at={expires_at} />} />
        {viewers > 0 && ` ${t.share_links.looking(viewers)}`}
      </p>
      <Button size="row" onClick={() => document.querySelector<HTMLElement>(`#${shareLinksBoxId} h2`)?.focus()}>
        {t.share_links.show_links}
      </Button>
    </div>
  );
}

/** @internal When the last of the links ends, and in how many windows one of them is open at least. */
export const togetherOf = (links: readonly ShareLink[]) => ({
  expires_at: new Date(Math.max(...links.map((link) => Date.parse(link.expires_at)))).toISOString(),
  viewers: links.reduce((sum, link) => sum + link.viewers, 0),
});

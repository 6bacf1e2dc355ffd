/** What people without an account see, who have the code of a link: `/guest`. The code is in a header, so that no log has it. */
import { Hono } from 'hono';
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import type { EventStreams } from '../../core/http/event-streams.ts';
import { notRouted, onError } from '../../core/http/problem-response.ts';
import { bindingsOf, noteRoute, type CheckedBindings } from '../../core/http/request-bindings.ts';
import type { Limits } from '../../core/limits/limit-tables.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { Problem, type Report } from '../../core/problem.ts';
import type { Service } from '../../service/service.ts';
import { createViewerSlots } from './viewer-slots.ts';
import { createViewers } from './viewers.ts';

const codeHeader = 'x-share-code';

export function createGuests({
  feed,
  service: { shareLinks: links, tracks },
  streams,
  limits: {
    rates: { guests: openings },
    guestReading: reading,
  },
  now,
  report,
}: {
  feed: Pick<ChangeFeed, 'subscribe' | 'catchUp'>;
  service: Pick<Service, 'shareLinks' | 'tracks'>;
  streams: Pick<EventStreams, 'open'>;
  limits: Pick<Limits, 'rates' | 'guestReading'>;
  now: () => Date;
  report: Report;
}) {
  const slots = createViewerSlots();
  const viewers = createViewers({ feed, links, trackSince: tracks.since, reading, now, report });
  const routes = new Hono<{ Bindings: CheckedBindings }>().basePath('/guest');
  routes.onError(onError(report));
  routes.use(noteRoute);

  routes.get('/events', async (c) => {
    const address = bindingsOf(c).clientAddress();
    requireTokens(openings, address);
    const link = await links.ofCode(c.req.header(codeHeader) ?? '');
    if (!link) throw new Problem('share_link.not_found');
    return streams.open(c, {
      take: (stop) => slots.take({ link, address, stop }),
      proofs: [{ kind: 'link', id: link.id }],
      headers: { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
      cursorLine: () => '',
      begin(stream) {
        links.noteOpened(link);
        return viewers.watch(link, stream);
      },
    });
  });
  routes.all('*', (c) => {
    throw notRouted(routes, c.req.path);
  });

  return {
    handle: (request: Request, bindings: CheckedBindings) => routes.fetch(request, bindings),
    /** Its endpoints, without a credential of a user. */
    endpoints: routes.routes.filter(({ method }) => method !== 'ALL'),
    endedOf: viewers.endedOf,
    viewersOf: slots.count,
    close: viewers.close,
  };
}

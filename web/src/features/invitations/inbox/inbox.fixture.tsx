/** For tests of the inbox. */
import type { QueryClient } from '@tanstack/react-query';
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { pageOf } from '../../../data/cache/invitation.fixture.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { InboxPage } from './inbox-page.tsx';

interface InboxOptions {
  url: string;
  /** The open invitations that the server has. */
  open(): InvitationItem[];
  /** Given: how the server answers to requests of a list. */
  page?: (params: URLSearchParams) => InvitationPage | Promise<InvitationPage>;
  /** What the server answers to other requests. */
  others?: (path: string) => object | undefined;
  /** Otherwise no query matches. */
  matchMedia?: (query: string) => object;
  offers?: ReactNode;
  client?: QueryClient;
}

/** Shows the inbox of a user who has received these invitations, until the test has finished. */
export async function mountInbox({ url, open, page, others, matchMedia, offers = null, client }: InboxOptions) {
  history.replaceState(null, '', url);
  const answerTo = (path: string): object | Promise<object> => {
    const { pathname, searchParams } = new URL(path, location.origin);
    if (pathname === '/api/inbox') {
      return page?.(searchParams) ?? pageOf(searchParams.get('state') === 'new' ? open() : []);
    }
    const item = open().find(({ id }) => path.endsWith(`/${id}`));
    return item ?? others?.(path) ?? { received: { new: open().length }, sent: { new: 0 }, offers: 0 };
  };
  vi.stubGlobal('fetch', async (path: string) => Response.json(await answerTo(path)));
  const inbox = await mountPart(null, client);
  if (matchMedia) vi.stubGlobal('matchMedia', matchMedia);
  await inbox.show(<InboxPage deviceMap={null} offers={offers} />);
  onTestFinished(async () => {
    await inbox.unmount();
    vi.unstubAllGlobals();
    history.replaceState(null, '', '/');
  });
  return inbox;
}

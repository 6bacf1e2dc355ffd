import { useQuery } from '@tanstack/react-query';
import { useEffectEvent, useLayoutEffect } from 'react';
import type { InboxCount, InvitationCounts } from '@swarmdeck/bff/contract';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { JumpButton } from '../../../ui/pages/page-head.tsx';
import { CommandKey } from '../../../ui/keys/keys-provider.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { inboxCountQuery, openOf, useAnsweringCount } from '../inbox-count.api.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInbox } from './inbox-state.ts';
import './inbox-page.css';
import '../../../ui/pages/tabs.css';

const allOf = ({ new: open, accepted, rejected }: InvitationCounts) => open + accepted + rejected;

/** The inbox opens at Sent if only that has any. */
function useFirstBox(counts: InboxCount | undefined) {
  const [{ box, q, resource, selected }, setUrl] = useUrlState(inboxUrl);
  const isUntouched = box === 'received' && q === '' && resource === undefined && selected === null;
  const isOnlySent = counts && allOf(counts.received) + counts.offers === 0 && allOf(counts.sent) > 0;
  const open = useEffectEvent(() => isUntouched && isOnlySent && setUrl({ box: 'sent' }));
  const isKnown = counts !== undefined;
  useLayoutEffect(() => void (isKnown && open()), [isKnown]);
}

/** Heading, the tabs of the two boxes with their counts, and the search. */
export function InboxHead() {
  const [url, setUrl] = useUrlState(inboxUrl);
  const { list, search } = useInbox('focus');
  const { checked, check } = useInbox('selection');
  const counts = useQuery(inboxCountQuery).data;
  const answering = useAnsweringCount('received');
  const open = counts && openOf(counts, answering);
  useFirstBox(counts);
  const current = (box: 'received' | 'sent') => (url.box === box ? ('page' as const) : undefined);
  return (
    <header className="inbox-head">
      <div className="inbox-title">
        <h1 className="grow">{t.invitations.title}</h1>
        <ButtonLink to="/invite" icon="send">
          {t.invitations.invite}
          <CommandKey scope="everywhere" id="invite" />
        </ButtonLink>
        <JumpButton />
      </div>
      <nav className="tabs inbox-boxes" aria-label={t.invitations.boxes}>
        <Link to="/invitations" className="tab" aria-current={current('received')}>
          {t.invitations.received}
          {/* It has its place before it is known: the other tab must not move away from under the pointer. */}
          <span className={open ? 'badge numbers' : 'tab-count numbers'}>
            {open !== undefined && formatNumber(open)}
          </span>
        </Link>
        <Link to="/invitations?tab=sent" className="tab" aria-current={current('sent')}>
          {t.invitations.sent}
          {counts && <span className="tab-count numbers">{formatNumber(allOf(counts.sent))}</span>}
        </Link>
      </nav>
      {checked.count > 0 ? (
        <SelectionBar checked={checked} check={check} progress={checked.progress} list={list} />
      ) : (
        <SearchField
          q={url.q}
          label={t.invitations.search}
          placeholder={t.invitations.search_hint}
          field={search}
          onChange={(q) => setUrl({ q })}
          onLeave={() => list.current?.focus()}
        />
      )}
      {url.resource !== undefined && (
        <Button size="small" icon="close" onClick={() => setUrl({ resource: undefined })}>
          {t.invitations.one_device}
        </Button>
      )}
    </header>
  );
}

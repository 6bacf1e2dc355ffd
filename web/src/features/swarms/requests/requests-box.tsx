import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { Mailbox } from '../../../data/cache/query-keys.ts';
import {
  AnswerAudience,
  AnswerButtons,
  deviceName,
  FailureReason,
  PendingAnswer,
  useAnswer,
  useAnswers,
} from '../../../shared/actions/answers.tsx';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { TypeBadge } from '../../../ui/symbols/type-badge.tsx';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import { requestsQuery } from './requests.api.ts';
import './requests.css';

const mostListed = 20;

/** The open requests to join a swarm, with buttons to answer or withdraw them. Renders nothing if there are none. */
export function RequestsBox({ swarm_id, box }: { swarm_id: string; box: Mailbox }) {
  const { data } = useQuery(requestsQuery({ swarm_id, box }));
  if (!data || data.items.length === 0) return null;
  const items = data.items.slice(0, mostListed);
  const more = data.items.length - items.length + data.unread;
  const title = box === 'received' ? t.requests.title : t.requests.yours;
  return (
    <Box title={title} count={formatNumber(items.length + more)}>
      <ul aria-label={title}>
        {items.map((item) => (
          <Request key={item.id} item={item} box={box} />
        ))}
      </ul>
      {more > 0 && (
        <p className="box-row">
          <Link to={box === 'received' ? '/invitations' : '/invitations?tab=sent'}>{t.requests.more(more)}</Link>
        </p>
      )}
    </Box>
  );
}

function Request({ item, box }: { item: InvitationItem; box: Mailbox }) {
  const { id, from, device, resource_type, description, sent_at, ends_at } = item;
  const answer = useAnswers();
  const { pending, failure } = useAnswer(id);
  const row = useRef<HTMLLIElement>(null);
  const focusRestore = useFocusRestore(() => {
    // Not Undo, because the focus on it stops the countdown.
    (row.current ?? document.querySelector('main'))?.focus({ preventScroll: true });
  });
  const name = <Bdi>{deviceName(item)}</Bdi>;
  return (
    <li ref={row} tabIndex={-1} className="box-row wraps request-row" {...focusRestore}>
      {device && <TypeBadge type={device.machine_type} small />}
      <div className="box-row-words">
        <p>{box === 'received' ? <Rich text={t.invitations.asks} from={<Bdi>{from}</Bdi>} device={name} /> : name}</p>
        {description && (
          <p>
            <Rich text={t.invitations.facts.quote} message={<Bdi>{description}</Bdi>} />
          </p>
        )}
        {failure ? (
          <p className="bad" role="alert">
            <FailureReason item={item} box={box} failure={failure} />
          </p>
        ) : (
          <p className="quiet">
            <Rich text={t.invitations.facts.sent} when={<Time at={sent_at} />} />
            {ends_at !== undefined && (
              <>
                {' · '}
                <UntilDate at={ends_at} />
              </>
            )}
          </p>
        )}
        {box === 'received' && !pending && <AnswerAudience item={item} />}
      </div>
      <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
      <div className="line to-end">
        {pending ? (
          <PendingAnswer pending={pending} />
        ) : (
          <AnswerButtons item={item} box={box} onAnswer={(how) => answer(how, [item])} />
        )}
      </div>
    </li>
  );
}

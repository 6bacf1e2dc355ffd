import { useRef } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { RoleChip } from '../../ui/symbols/role-chip.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { Time } from '../../ui/texts/time.tsx';
import { useFocusRestore } from '../../ui/browser/use-focus-restore.ts';
import {
  AnswerAudience,
  AnswerButtons,
  FailureReason,
  PendingAnswer,
  useAnswer,
  useAnswers,
} from '../../shared/actions/answers.tsx';
import { ItemEnd } from './item-end.tsx';
import '../../ui/texts/name-link.css';
import './device-invitations.css';
import { senderOf, useBoxSide } from './invitations.api.ts';

/** The invitations of a device, on its page, with buttons to answer them. Renders nothing if there are none. */
export function DeviceInvitations({ resource_id }: { resource_id: string }) {
  const { rows, counts, total, status } = useBoxSide({
    box: 'received',
    side: 'new',
    q: '',
    resource: resource_id,
  });
  const { error } = status;
  const text = t.invitations.device_box;
  const all = counts ? counts.new + counts.accepted + counts.rejected : 0;
  if (all === 0 && !error) return null;
  // There may be new ones since the last response.
  const isUnknown = all === 0;
  return (
    <div className="device-invitations">
      <Box
        title={text.title}
        count={isUnknown ? undefined : text.open(formatNumber(total))}
        action={
          !isUnknown && (
            <Link to={`/invitations?${new URLSearchParams({ resource: resource_id }).toString()}`}>
              {text.all(formatNumber(all))}
            </Link>
          )
        }
      >
        {error && <LoadFailedNote className="box-row" query={status} />}
        <ul>
          {rows.all().map((item) => (
            <DeviceInvitation key={item.id} item={item} />
          ))}
        </ul>
        {!error && rows.length === 0 && <p className="box-row device-invitation">{text.none_open}</p>}
      </Box>
    </div>
  );
}

function DeviceInvitation({ item }: { item: InvitationItem }) {
  const isLater = item.is_later_end;
  const answer = useAnswers();
  const { pending, failure } = useAnswer(item.id);
  const text = t.invitations.device_box;
  const row = useRef<HTMLLIElement>(null);
  // The answer buttons are removed, and later the row.
  const focusRestore = useFocusRestore(() => {
    (row.current?.querySelector('a') ?? document.querySelector('main'))?.focus({ preventScroll: true });
  });
  return (
    <li ref={row} className="box-row device-invitation" {...focusRestore}>
      <div className="box-row-words">
        <p>
          <Rich
            text={(isLater ? text.later_end : text)[item.sent_by ? 'invited' : 'invited_by_unknown']}
            from={<Bdi>{senderOf(item)}</Bdi>}
            swarm={
              <Link to={`/invitations?sel=${item.id}`} className="name-link strong">
                <Bdi>{item.swarm.name}</Bdi>
              </Link>
            }
          />
        </p>
        {failure ? (
          <p className="quiet bad" role="alert">
            <FailureReason item={item} box="received" failure={failure} />
          </p>
        ) : (
          <p className="quiet">
            <Rich text={text.sent} when={<Time at={item.sent_at} />} />
            <ItemEnd item={item} before=" · " />
          </p>
        )}
        {!pending && <AnswerAudience item={item} />}
      </div>
      {!isLater && <RoleChip role={item.resource_type} label={t.shell.roles[item.resource_type]} />}
      <div className="device-invitation-actions">
        {pending ? (
          <PendingAnswer pending={pending} />
        ) : (
          <AnswerButtons item={item} box="received" onAnswer={(how) => answer(how, [item])} />
        )}
      </div>
    </li>
  );
}

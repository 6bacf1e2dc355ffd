import { useQuery } from '@tanstack/react-query';
import type { Session } from '@swarmdeck/bff/contract';
import { formatNumber, formatRelative, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { useErrorToast, useToasts } from '../../ui/toasts/toast.tsx';
import { sessionsQuery, useEndSession } from './account-page.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { Tag } from '../../ui/symbols/chip.tsx';
import { parseUserAgent } from '@swarmdeck/bff/user-agent';

export function Sessions({ id }: { id: string }) {
  const query = useQuery(sessionsQuery);
  const toasts = useToasts();
  const showError = useErrorToast();
  const end = useEndSession();
  const endWithToast = (which: string, title: string) =>
    end.mutate(which, {
      onSuccess: () => toasts.show({ title }),
      onError: (error) => showError(error),
    });
  const others = (query.data ?? []).some((session) => !session.current);
  return (
    <Box
      id={id}
      title={t.account.sessions.title}
      count={query.data && formatNumber(query.data.length)}
      action={
        others && (
          <Button look="quiet" size="row" sends onClick={() => endWithToast('others', t.account.sessions.others_ended)}>
            {t.account.sessions.end_others}
          </Button>
        )
      }
    >
      <SectionState query={query}>
        {(sessions) => (
          <ul>
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => endWithToast(session.id, t.account.sessions.ended)}
              />
            ))}
          </ul>
        )}
      </SectionState>
    </Box>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { browser, system } = parseUserAgent(session.user_agent);
  const now = useNow();
  // The server notes the use of a session once an hour.
  const isOfHour = now - Date.parse(session.active_at) < 3600_000;
  const name =
    browser && system ? t.account.sessions.on(browser, system) : (browser ?? system ?? t.account.sessions.unknown);
  return (
    <li className="box-row">
      <div className="box-row-words">
        <p className="box-row-title">
          {name} {session.current && <Tag>{t.account.sessions.this_one}</Tag>}
        </p>
        <p className="quiet">
          <Rich
            text={t.account.sessions[session.current ? 'active_now' : isOfHour ? 'active_hour' : 'line']}
            when={<Time at={session.created_at} />}
            active={<Time at={session.active_at} />}
          />
        </p>
      </div>
      {!session.current && (
        <Button
          look="quiet"
          size="row"
          sends
          aria-label={t.account.sessions.end_of(name, formatRelative(session.created_at, now))}
          onClick={onEnd}
        >
          {t.account.sessions.end}
        </Button>
      )}
    </li>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { errorSentence } from '../../data/problem.ts';
import { language } from '../../text/language.ts';
import { t } from '../../text/text.ts';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { choosePush, hasPush, pushQuery } from './push-subscription.ts';

/** Switches the notifications of this browser on, and says what is missing if it cannot. */
export function PushNotices() {
  const text = t.account.preferences.notices;
  const client = useQueryClient();
  const stored = useQuery(pushQuery);
  const { data } = stored;
  const { mutate: choose, ...chosen } = useMutation({
    mutationFn: (choice: Parameters<typeof choosePush>[0]) => choosePush(choice, data!),
    onSettled: () => client.invalidateQueries(pushQuery),
  });
  const subscription = data?.subscription ?? null;
  // Notifications follow the language of the app.
  useEffect(() => {
    if (subscription && subscription.language !== language) choose({ shows_names: subscription.shows_names });
  }, [subscription, choose]);
  const problem = chosen.error;
  let state = problem && (problem instanceof DOMException ? text.failed : errorSentence(problem));
  if (subscription?.refused) state ??= text.refused(String(subscription.refused.status));
  if (!hasPush()) state = text.unsupported;
  else if (Notification.permission === 'denied') state = text.blocked;
  if (!data && stored.error) return <LoadFailedNote className="box-row" title={t.account.failed} query={stored} />;
  return (
    <div className="box-row preference preference-keys">
      <Switch
        label={text.label}
        checked={chosen.isPending ? chosen.variables !== null : subscription !== null}
        disabled={!data || !hasPush()}
        onChange={(on) => choose(on ? { shows_names: false } : null)}
      />
      <p className="quiet" aria-live="polite">
        {state ?? text.hint}
      </p>
      {subscription && (
        <>
          <Switch
            label={text.names}
            checked={(chosen.isPending && chosen.variables ? chosen.variables : subscription).shows_names}
            onChange={(shows_names) => choose({ shows_names })}
          />
          <p className="quiet">{text.names_hint}</p>
        </>
      )}
    </div>
  );
}

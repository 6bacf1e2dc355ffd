import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { swarmChoicesQuery } from '../../../data/cache/memberships.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { JumpButton, PageHead } from '../../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { QuotaNote, type Quota } from '../../../ui/fields/quota-note.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { deskLayout } from './invite-desk.tsx';
import { InviteForm } from './invite-form.tsx';
import './invite-page.css';
import { inviteUrl } from './invite-url.ts';
import { phoneLayout } from './invite-phone.tsx';
import { useInvite } from './use-invite.ts';

/**
 * Invites devices to a swarm. Pasted lines are checked before anything is sent. The form stays the same while a phone is
 * turned.
 */
export function InvitePage({ user_id, quota }: { user_id: string; quota: Quota }) {
  usePageTitle(t.invite.short_title);
  const { title, UnderCodes, BesideForm, Foot } = useMedia(phone) ? phoneLayout : deskLayout;
  const [q, setQ] = useState('');
  const swarms = useQuery(swarmChoicesQuery({ relation: 'manager', q }));
  const invite = useInvite({ user_id, swarms: swarms.data, q });
  const { swarm, codes, sending } = invite;
  const [{ csv: wantsFile }] = useUrlState(inviteUrl);
  const backTo = swarm ? `/swarms/${swarm.id}` : '/swarms';
  return (
    <div className="page">
      <PageHead className="invite-head" back={{ to: backTo, label: t.swarms.page.back }}>
        <h1 className="grow">{title()}</h1>
        <FileButton wanted={wantsFile} onText={codes.edit.append} />
        <JumpButton />
      </PageHead>
      {swarms.error && !swarms.data && q === '' ? (
        <LoadFailed title={t.invite.error_title} query={swarms} />
      ) : (
        <div className="page-columns invite-columns">
          <InviteForm
            invite={invite}
            q={q}
            swarms={swarms.data}
            isSettled={!swarms.isPlaceholderData}
            failed={swarms.isError ? swarms : undefined}
            onSearch={setQ}
          >
            <UnderCodes invite={invite} />
          </InviteForm>
          <BesideForm invite={invite} />
        </div>
      )}
      {!sending.action && (
        <QuotaNote
          quota={quota}
          adding={codes.counts.added}
          text={({ allowed, room, adding }) =>
            t.invite.quota(formatNumber(allowed), formatNumber(room), formatNumber(adding))
          }
        />
      )}
      <Foot invite={invite} backTo={backTo} />
    </div>
  );
}

/** Appends the lines of a file to the list. */
function FileButton({ wanted, onText }: { wanted: boolean; onText(text: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (wanted) button.current?.focus();
  }, [wanted]);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        aria-label={t.invite.csv}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          void chosen?.text().then(onText);
        }}
      />
      <Button ref={button} icon="upload" onClick={() => input.current?.click()}>
        {t.invite.csv}
      </Button>
    </>
  );
}

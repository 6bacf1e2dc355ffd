import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { useConnectionStatus } from '../../data/stream/connection-status.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { accountQuery } from '../../shared/account/account.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import './account-boxes.css';

/** How much of each quota the user has used. */
export function Usage({ id }: { id: string }) {
  const account = useQuery(accountQuery);
  const { live } = useConnectionStatus();
  const client = useQueryClient();
  useEffect(() => {
    // The account was read before this browser was connected.
    if (live) void client.invalidateQueries({ queryKey: accountQuery.queryKey });
  }, [client, live]);
  return (
    <Box id={id} title={t.account.usage.title}>
      <SectionState query={account}>
        {(data) => (
          <ul>
            {Object.entries(t.account.usage.quotas).map(([quota, label]) => (
              <Row key={quota} label={label} {...data.quotas[quota as keyof Account['quotas']]} />
            ))}
          </ul>
        )}
      </SectionState>
    </Box>
  );
}

function Row({ label, used, allowed }: { label: string; used: number; allowed: number | null }) {
  const isFull = allowed !== null && used >= allowed;
  return (
    <li className="box-row usage-row">
      <span>{label}</span>
      <span className={`numbers ${isFull ? 'usage-full' : ''}`}>
        {allowed === null ? formatNumber(used) : t.account.usage.of(formatNumber(used), formatNumber(allowed))}
      </span>
      {allowed !== null && (
        <span className="usage-bar" aria-hidden="true">
          <span style={{ inlineSize: `${Math.min(100, (used / allowed) * 100)}%` }} />
        </span>
      )}
    </li>
  );
}

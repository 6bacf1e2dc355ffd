import type { ApiKey } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { useToasts } from '../../ui/toast.tsx';
import { useRevokeKey } from './account-page.api.ts';
import { Confirm } from './confirm-with-error.tsx';

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const toasts = useToasts();
  const revoke = useRevokeKey();
  return (
    <Confirm
      title={t.account.keys.revoke_title(apiKey.name)}
      text={t.account.keys.revoke_text}
      confirm={t.account.keys.revoke}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() =>
        revoke.mutate(apiKey.id, {
          onSuccess: () => {
            toasts.show({ title: t.account.keys.revoked(apiKey.name) });
            onClose();
          },
        })
      }
    />
  );
}

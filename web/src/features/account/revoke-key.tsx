import type { ApiKey } from '@swarmdeck/bff/contract';
import { ta } from '../../text/account.ts';
import { useToasts } from '../../ui/toast.tsx';
import { useRevokeKey } from './account-page.api.ts';
import { Confirm } from './confirm.tsx';

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const toasts = useToasts();
  const revoke = useRevokeKey();
  return (
    <Confirm
      title={ta.keys.revoke_title(apiKey.name)}
      text={ta.keys.revoke_text}
      act={ta.keys.revoke}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onAct={() =>
        revoke.mutate(apiKey.id, {
          onSuccess: () => {
            toasts.show({ title: ta.keys.revoked(apiKey.name) });
            onClose();
          },
        })
      }
    />
  );
}

import type { ApiKey } from '@swarmdeck/bff/contract';
import { useToasts } from '../../ui/toast.tsx';
import { useRevokeKey } from './account-page.api.ts';
import { words } from './account-words.ts';
import { Confirm } from './confirm.tsx';

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const toasts = useToasts();
  const revoke = useRevokeKey();
  return (
    <Confirm
      title={words.keys.revoke_title(apiKey.name)}
      text={words.keys.revoke_text}
      act={words.keys.revoke}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onAct={() =>
        revoke.mutate(apiKey.id, {
          onSuccess: () => {
            toasts.show({ title: words.keys.revoked(apiKey.name) });
            onClose();
          },
        })
      }
    />
  );
}

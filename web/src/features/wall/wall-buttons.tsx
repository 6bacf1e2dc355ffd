import { t } from '../../text/text.ts';
import { ButtonLink, Button } from '../../ui/button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import type { Wall } from './use-wall.ts';

/** Toggles whether the map follows the selected device. */
export function FollowButton({ wall: { url, device, toggleFollow } }: { wall: Wall }) {
  const keys = useKeysEnabled();
  const able = url.selected !== null && device !== null;
  return (
    <Button
      icon="follow"
      aria-pressed={url.following}
      disabled={!able}
      title={able ? undefined : t.wall.follow_none}
      onClick={toggleFollow}
    >
      {url.following ? t.wall.following : t.wall.follow}
      {keys && able && <KeyHint keys={url.following ? 'Esc' : 'O'} />}
    </Button>
  );
}

export function LeaveLink({ to }: { to: string }) {
  return (
    <ButtonLink icon="close" to={to}>
      {t.wall.leave}
    </ButtonLink>
  );
}

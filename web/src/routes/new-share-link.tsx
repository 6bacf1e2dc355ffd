import type { NewShareLink as Link } from '@swarmdeck/bff/contract';
import { LinkDialog } from '../features/swarms/invite/link-dialog.tsx';
import { t } from '../text/text.ts';
import { Bdi, Rich } from '../ui/rich.tsx';

/** Shows a new link with its code, once. */
export function NewShareLink({ link: { name, url }, onClose }: { link: Link; onClose(): void }) {
  return (
    <LinkDialog
      link={url}
      title={<Rich text={t.share_links.created_title} name={<Bdi>{name}</Bdi>} />}
      description={t.share_links.created_text}
      copy={t.share_links.copy}
      shareTitle={name}
      onClose={onClose}
    />
  );
}

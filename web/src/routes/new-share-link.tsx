import { useState } from 'react';
import type { NewShareLink } from '@swarmdeck/bff/contract';
import { LinkDialog } from '../features/swarms/invite/link-dialog.tsx';
import { t } from '../text/text.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { LostQuestion } from '../ui/pages/shown-once.tsx';
import { useUnloadQuestion } from '../ui/pages/use-leave-guard.ts';

interface NewShareLinkDialogProps {
  link: NewShareLink;
  onClose(): void;
}

/** Shows a new link with its code, once. Closing it asks, unless the user has copied or shared the link. */
export function NewShareLinkDialog({ link: { name, url }, onClose }: NewShareLinkDialogProps) {
  const [isTaken, setTaken] = useState(false);
  const [isAsking, setAsking] = useState(false);
  useUnloadQuestion(!isTaken);
  return (
    <>
      <LinkDialog
        link={url}
        title={<Rich text={t.share_links.created_title} name={<Bdi>{name}</Bdi>} />}
        description={t.share_links.created_text}
        copy={t.share_links.copy}
        shareTitle={name}
        onTaken={() => setTaken(true)}
        onClose={() => (isTaken ? onClose() : setAsking(true))}
      />
      {isAsking && <LostQuestion texts={t.share_links} onConfirm={onClose} onClose={() => setAsking(false)} />}
    </>
  );
}

import type { JoinLink, SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { printSheet } from '../../../ui/browser/print-sheet.ts';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { LinkDialog } from '../invite/link-dialog.tsx';
import './poster.css';

/** A link to join a swarm: its QR code, to show, to copy and to print. */
export function LinkShown({ swarm, link, onClose }: { swarm: SwarmItem; link: JoinLink; onClose(): void }) {
  const { name, url } = link;
  return (
    <LinkDialog
      link={url}
      title={<Rich text={t.links.dialog_title} name={<Bdi>{name}</Bdi>} />}
      description={t.links.dialog_text}
      copy={t.links.copy}
      shareTitle={t.links.share_title(swarm.name)}
      buttons={<Button onClick={() => printSheet(<Poster swarm={swarm} url={url} />)}>{t.links.print}</Button>}
      onClose={onClose}
    />
  );
}

function Poster({ swarm, url }: { swarm: SwarmItem; url: string }) {
  return (
    <section className="poster">
      <p>{t.links.poster}</p>
      <h1>
        <Bdi>{swarm.name}</Bdi>
      </h1>
      <p>
        <Rich text={t.swarms.by} owner={<Bdi>{swarm.user_id}</Bdi>} />
      </p>
      <QrCode quiet text={url} label={t.links.qr} />
      <p dir="ltr">{url}</p>
    </section>
  );
}

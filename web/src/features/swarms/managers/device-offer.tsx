import { useNavigate } from 'react-router';
import type { ResourceOffer } from '@swarmdeck/bff/contract';
import { useEndOffer, useTakeOver } from '../../../shared/handover/handover.api.ts';
import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { ShortId } from '../../../ui/texts/short-id.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { OfferRow } from './offer-row.tsx';

/** A device that another user hands over to this one. */
export function DeviceOffer({ offer, user_id }: { offer: ResourceOffer; user_id: string }) {
  const { resource, with_history } = offer;
  const [take, decline] = [useTakeOver(resource.id), useEndOffer(resource.id)];
  const { show } = useToasts();
  const navigate = useNavigate();
  const { keep_track, keep_values } = resource;
  const records = keep_track ? (keep_values ? 'both' : 'track') : keep_values && 'values';
  const accept = async () => {
    await take.mutateAsync(user_id);
    const action = { label: t.handover.open, onAction: () => void navigate(`/devices/${resource.id}`) };
    show({ title: t.handover.accepted(resource.name), icon: 'check', action });
  };
  return (
    <OfferRow
      title={
        <Rich text={t.handover.offers} owner={<Bdi>{resource.user_id}</Bdi>} device={<Bdi>{resource.name}</Bdi>} />
      }
      about={
        <>
          {t.shell.machine_types[resource.machine_type]} · <ShortId id={resource.id} />
          {resource.description && (
            <>
              {' · '}
              <Bdi>{resource.description}</Bdi>
            </>
          )}
        </>
      }
      text={[
        with_history ? t.handover.offers_history : t.handover.offers_text,
        t.handover.offers_swarms,
        records && t.handover.offers_records[records],
      ]
        .filter(Boolean)
        .join(' ')}
      error={take.error ?? decline.error}
      accept={t.managers.take_over}
      isAccepting={take.isPending}
      isBusy={take.isPending || decline.isPending}
      onAccept={accept}
      onDecline={() => decline.mutate()}
    />
  );
}

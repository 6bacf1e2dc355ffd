import type { Refusals, Resource, Swarm } from '@swarmdeck/bff/contract';
import { joinList } from '../text/formats.ts';
import { problemSentence, t, textFor } from '../text/text.ts';
import { Note } from '../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { Time } from '../ui/texts/time.tsx';

interface RefusedNotesProps {
  refusals: Refusals | undefined;
  device: Pick<Resource, 'id' | 'machine_type'>;
  /** The swarms of the device; undefined if they are not known. */
  swarms?: Swarm[] | undefined;
}

/** What the user's device was refused, why, and what to do. */
export function RefusedNotes({ refusals, device, swarms }: RefusedNotesProps) {
  const { refused, wrong_keys } = refusals ?? {};
  return (
    <>
      {refused && (
        <Note tone="warn" icon="warning">
          <Rich
            text={t.device.refused.times(refused.times)}
            age={<Time at={refused.last_at} />}
            reason={<Reason device={device} swarms={swarms} code={refused.code} detail={refused.detail} />}
          />
        </Note>
      )}
      {wrong_keys && (
        <Note tone="warn" icon="lock">
          <Rich
            text={t.device.refused.wrong_keys(wrong_keys.times)}
            age={<Time at={wrong_keys.last_at} />}
            action={device.machine_type === 'smartphone' ? t.connect.phone.action : t.connect.action}
          />
        </Note>
      )}
    </>
  );
}

interface ReasonProps extends Pick<RefusedNotesProps, 'device' | 'swarms'> {
  code: string;
  detail: string;
}

/** A sentence that begins in lower case, or the text of the error, or the sentence of the server. */
function Reason({ code, detail, device: { id }, swarms }: ReasonProps) {
  const { reasons, only_consumer, no_swarm } = t.device.refused;
  if (code === 'message.not_producer' && swarms) {
    if (swarms.length === 0) return no_swarm;
    const names = swarms.filter((swarm) => isConsumer(id, swarm)).map(({ name }) => name);
    if (names.length > 0) return <Rich text={only_consumer} swarms={<Bdi>{joinList(names)}</Bdi>} />;
  }
  const text = textFor(reasons, code) ?? problemSentence({ code, detail: '{detail}' });
  return <Rich text={text} detail={<Bdi lang="en">{detail}</Bdi>} />;
}

const isConsumer = (id: string, { resources }: Swarm) =>
  resources.some(({ resource_id, resource_type }) => resource_id === id && resource_type === 'consumer');

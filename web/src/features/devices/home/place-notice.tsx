import { useRef, useState, type FormEvent } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { errorSentence } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { pinned, useMedia } from '../../../ui/media.ts';
import { useEventListener } from '../../../ui/use-event-listener.ts';
import type { MapUrlView } from '../../../ui/map-view-url.ts';
import { usePlaceText } from '../../../data/places/places.ts';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { coordinateError, readPosition, writePosition, type Coordinates } from '../form/coordinates.ts';
import { PlaceSearch } from '../form/place-search.tsx';
import { PositionFields } from '../form/position-fields.tsx';
import './place-notice.css';

interface PlaceNoticeProps {
  name: string;
  /** The search of a place. */
  q: string;
  /** The position of the marker. */
  proposed: Position | null;
  /** The centre of the map, where Enter sets the position, and the button too if there is no other. */
  centre: MapUrlView | null;
  busy: boolean;
  error: Error | null;
  /** Moves the map, and the focus to it. */
  onGo(view: MapUrlView): void;
  onSearch(q: string): void;
  /** Called with valid coordinates that were typed, found or located, and with null when they become invalid. */
  onPropose(position: Position | null): void;
  onPlace(position: Position): void;
  onCancel(): void;
}

/** Shown while a device is placed. The position is set by a click on the map, as numbers, or from the own location. */
export function PlaceNotice({
  name,
  q,
  proposed,
  centre,
  busy,
  error,
  onGo,
  onSearch,
  onPropose,
  onPlace,
  onCancel,
}: PlaceNoticeProps) {
  const [typed, setTyped] = useState(() => writePosition(proposed ?? undefined));
  const [errors, setErrors] = useState<Partial<Record<keyof Coordinates, string | undefined>>>({});
  const isPinned = useMedia(pinned);
  const [isTyping, setTyping] = useState(false);
  const notice = useRef<HTMLElement>(null);
  // A finger on the map moves it, and then the pin says where.
  useEventListener(
    document,
    'pointerdown',
    ({ target }) => {
      if (target instanceof Node && !notice.current?.contains(target)) setTyping(false);
    },
    { capture: true },
  );

  // A click on the map proposes a position too.
  const [known, setKnown] = useState(proposed);
  if (proposed !== known) {
    setKnown(proposed);
    const same = readPosition(typed);
    const isTyped = same?.latitude === proposed?.latitude && same?.longitude === proposed?.longitude;
    if (proposed && !isTyped) setTyped(writePosition(proposed));
  }
  const [shown, setShown] = useState<MapUrlView | null>(null);
  const middle = centre && { latitude: centre.lat, longitude: centre.lng };
  if (isPinned && centre !== shown) {
    setShown(centre);
    if (middle && !isTyping) setTyped(writePosition(middle));
  }
  const marked = usePlaceText(proposed);
  // Only a moved map is announced.
  const [start] = useState(centre);
  const crossed = usePlaceText(centre === start ? null : middle);

  const isEmpty = typed.latitude.trim() === '' && typed.longitude.trim() === '';
  const change = (next: Coordinates) => {
    setTyped(next);
    setTyping(true);
    onPropose(readPosition(next) ?? null);
  };
  const go = (view: MapUrlView) => {
    change(writePosition({ latitude: view.lat, longitude: view.lng }));
    setTyping(false);
    onGo(view);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const position = isEmpty && middle ? middle : readPosition(typed);
    setErrors({ latitude: coordinateError(typed, 'latitude'), longitude: coordinateError(typed, 'longitude') });
    if (position) onPlace(position);
  };
  return (
    <section ref={notice} className="place-notice stack gap-3 floating over-map" aria-label={t.device.form.on_map}>
      <h2>
        <Rich text={t.device.placing.title} name={<Bdi>{name}</Bdi>} />
      </h2>
      <output className="muted">
        {isPinned ? t.device.placing.hint_pinned : proposed ? t.device.placing.hint_proposed : t.device.placing.hint}
        {marked && <span className="visually-hidden">{t.map.marked(marked)}</span>}
      </output>
      <output className="visually-hidden">{crossed && t.map.crossed(crossed)}</output>
      <PlaceSearch q={q} onSearch={onSearch} onGo={go} />
      <form noValidate onSubmit={submit}>
        <PositionFields value={typed} errors={errors} onChange={change} />
        <p className="field-error" role="alert">
          {error && `${t.device.placing.failed}. ${errorSentence(error)}`}
        </p>
        <div className="line">
          <Button look="primary" type="submit" acts busy={busy} disabled={isEmpty && !centre}>
            {t.device.placing.set}
          </Button>
          <Button onClick={onCancel}>{t.shell.kit.cancel}</Button>
        </div>
      </form>
    </section>
  );
}

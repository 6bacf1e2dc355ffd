import { useRef, useState, type FormEvent, type RefObject } from 'react';
import type { Position } from '@swarmdeck/bff/contract';
import { errorSentence } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { pinned, useMedia } from '../../../ui/browser/media.ts';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import type { MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { usePlaceText } from '../../../data/places/places.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { coordinateError, readPosition, writePosition, type Coordinates } from '../form/coordinates.ts';
import { PlaceSearch } from '../form/place-search.tsx';
import { PositionFields } from '../form/position-fields.tsx';
import { useHome } from './home-state.ts';
import type { Placing } from './use-placing.ts';
import './place-notice.css';

/** Shown while a device is placed. The position is set by a click on the map, as numbers, or from the own location. */
export function PlaceNotice({ placing }: { placing: Placing }) {
  const { name, at, proposed, q = '' } = placing;
  const { busy, error, search, propose, placeAt, cancel } = useHome('placing');
  const { handle: map, view: centre } = useHome('map');
  const notice = useRef<HTMLElement>(null);
  const isPinned = useMedia(pinned);
  const typed = useTypedPlace({ notice, proposed, ...(isPinned ? { at, pin: centre } : nothingPinned) });
  const [errors, setErrors] = useState<Partial<Record<keyof Coordinates, string | undefined>>>({});
  /** The map when the search was typed: nobody has chosen what is under its crosshair or pin. */
  const [searchedAt, setSearchedAt] = useState(centre);
  /** The centre of the map, where Enter sets the position, and the button too if there is no other. */
  const middle = placeOf(centre);
  const isEmpty = typed.place.latitude.trim() === '' && typed.place.longitude.trim() === '';
  const isSearching = q.trim() !== '' && centre === searchedAt && (isEmpty || (isPinned && !typed.isTyping));
  const change = (next: Coordinates) => {
    typed.change(next);
    propose(readPosition(next) ?? null);
  };
  const go = ({ lat, lng, zoom }: MapUrlView) => {
    const found = { latitude: lat, longitude: lng };
    change(writePosition(found));
    typed.end();
    map.current?.flyTo(found, zoom);
    map.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSearching) return;
    const position = isEmpty && middle ? middle : readPosition(typed.place);
    setErrors({
      latitude: coordinateError(typed.place, 'latitude'),
      longitude: coordinateError(typed.place, 'longitude'),
    });
    if (position) placeAt(position);
  };
  return (
    <section ref={notice} className="place-notice stack gap-3 floating over-map" aria-label={t.device.form.on_map}>
      <h2>
        <Rich text={t.device.placing.title} name={<Bdi>{name}</Bdi>} />
      </h2>
      <PlaceHints proposed={proposed} centre={centre} />
      <PlaceSearch
        q={q}
        onSearch={(next) => {
          setSearchedAt(centre);
          search(next);
        }}
        onGo={go}
      />
      <form noValidate onSubmit={submit}>
        <PositionFields value={typed.place} errors={errors} onChange={change} />
        <p className="field-error" role="alert">
          {error && `${t.device.placing.failed}. ${errorSentence(error)}`}
        </p>
        <div className="line wraps">
          <Button look="primary" type="submit" acts busy={busy} disabled={isSearching || (isEmpty && !centre)}>
            {t.device.placing.set}
          </Button>
          <Button onClick={cancel}>{t.shell.kit.cancel}</Button>
        </div>
      </form>
    </section>
  );
}

const nothingPinned = { at: null, pin: null };

const placeOf = (view: MapUrlView | null) => view && { latitude: view.lat, longitude: view.lng };

interface TypedPlaceOptions {
  notice: RefObject<HTMLElement | null>;
  proposed: Position | null;
  /** Where a map with a pin goes first. */
  at: Position | null;
  /** What is under the pin of the map, if it has one. */
  pin: MapUrlView | null;
}

/** The coordinates in the fields: what is typed or given, until the user or the map proposes another position. */
function useTypedPlace({ notice, proposed, at, pin }: TypedPlaceOptions) {
  const [place, setPlace] = useState(() => writePosition(proposed ?? at ?? undefined));
  const [isTyping, setTyping] = useState(at !== null);
  // A finger or a key on the map moves it, and then the pin says where.
  useEventListener(
    document,
    ['pointerdown', 'keydown'],
    ({ target }) => {
      if (target instanceof Node && !notice.current?.contains(target)) setTyping(false);
    },
    { capture: true },
  );
  // A click on the map proposes a position too.
  const [known, setKnown] = useState(proposed);
  if (proposed !== known) {
    setKnown(proposed);
    const same = readPosition(place);
    const isTyped = same?.latitude === proposed?.latitude && same?.longitude === proposed?.longitude;
    if (proposed && !isTyped) setPlace(writePosition(proposed));
  }
  const [shown, setShown] = useState<MapUrlView | null>(null);
  if (pin !== shown && pin !== null) {
    setShown(pin);
    if (!isTyping) setPlace(writePosition(placeOf(pin) ?? undefined));
  }
  return {
    place,
    isTyping,
    change(next: Coordinates) {
      setPlace(next);
      setTyping(true);
    },
    end: () => setTyping(false),
  };
}

/** How the position is set, and where the marker or the crosshair is, once the map was moved. */
function PlaceHints({ proposed, centre }: { proposed: Position | null; centre: MapUrlView | null }) {
  const isPinned = useMedia(pinned);
  const [start] = useState(centre);
  const marked = usePlaceText(proposed);
  const crossed = usePlaceText(centre === start ? null : placeOf(centre));
  const { hint, hint_pinned, hint_proposed } = t.device.placing;
  return (
    <>
      <output className="muted">
        {isPinned ? hint_pinned : proposed ? hint_proposed : hint}
        {marked && <span className="visually-hidden">{t.device.place_map.marked(marked)}</span>}
      </output>
      <output className="visually-hidden">{crossed && t.device.place_map.crossed(crossed)}</output>
    </>
  );
}

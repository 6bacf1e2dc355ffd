import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type KeyboardEvent } from 'react';
import { foundPlacesQuery } from '../../../data/places/found-places.api.ts';
import type { FoundPlace } from '../../../data/places/found-places.ts';
import { t } from '../../../text/text.ts';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { isComposing } from '../../../ui/keys/keys.ts';
import type { MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import './place-search.css';

interface PlaceSearchProps {
  q: string;
  onSearch(q: string): void;
  /** Moves the map there, and the focus: the chosen button is removed. */
  onGo(view: MapUrlView): void;
}

/** Finds a city or a country by its name; Enter takes the first one. */
export function PlaceSearch({ q, onSearch, onGo }: PlaceSearchProps) {
  const client = useQueryClient();
  const first = useRef<HTMLButtonElement>(null);
  const found = useQuery(foundPlacesQuery(q.trim()));
  const places = q === '' || !found.isEnabled ? undefined : found.data;
  /** The files with the places load with the first word. */
  const state =
    q === ''
      ? undefined
      : found.isLoading
        ? t.device.placing.loading
        : found.isError
          ? t.device.placing.not_loaded
          : undefined;
  const go = ({ view }: FoundPlace) => {
    onSearch('');
    onGo(view);
  };
  /** Takes the first place, unless something else was typed until it is found. */
  const enter = async (input: HTMLInputElement) => {
    const typed = input.value;
    const wanted = foundPlacesQuery(typed.trim());
    const [best] = wanted.enabled ? await client.fetchQuery(wanted).catch(() => []) : [];
    if (best && input.value === typed) go(best);
  };
  const onKeyDown = ({ key, target, nativeEvent }: KeyboardEvent) => {
    if (key === 'Enter' && target instanceof HTMLInputElement && !isComposing(nativeEvent)) void enter(target);
  };
  return (
    // Before the search field, which handles Enter too.
    <div className="place-search" onKeyDownCapture={onKeyDown}>
      <SearchField
        q={q}
        label={t.device.placing.search}
        placeholder={t.device.placing.search_hint}
        onChange={onSearch}
        onLeave={() => first.current?.focus()}
      />
      <output className="visually-hidden">{state ?? (places && t.device.placing.found(places.length))}</output>
      {state !== undefined && <p className="place-search-found place-search-none">{state}</p>}
      {places && (
        <ul className="place-search-found" aria-label={t.device.placing.places}>
          {places.length === 0 && !found.isFetching && <li className="place-search-none">{t.device.placing.none}</li>}
          {places.map((place, index) => (
            <li key={place.id}>
              <button
                type="button"
                className="line hoverable"
                ref={index === 0 ? first : undefined}
                onClick={() => go(place)}
              >
                <Icon name="locate" size={16} />
                {place.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

import type { Places } from '../../../api/places/places.file.ts';
import { loadPlaces } from '../../../api/places/places.ts';
import type { PlaceGrade } from '../../../api/places/places.ts';

/** The zoom from which a file is used. */
const grades: readonly { grade: PlaceGrade; from: number }[] = [
  { grade: 'cities', from: 0 },
  { grade: 'towns', from: 6 },
  { grade: 'villages', from: 9 },
];
const RETRY_AFTER = 10_000;

interface CitySource {
  /** The loaded files for a zoom, the coarsest first. Fetches the one that the zoom needs. */
  at(zoom: number): Places[];
  stop(): void;
}

/** `onLoad` is called when a file is loaded. */
export function createCitySource({ onLoad }: { onLoad: () => void }): CitySource {
  const files = new Map<PlaceGrade, Places>();
  const requested = new Set<PlaceGrade>();
  let stopped = false;

  function request(grade: PlaceGrade): void {
    if (requested.has(grade)) return;
    requested.add(grade);
    loadPlaces(grade).then(
      (places) => {
        files.set(grade, places);
        if (!stopped) onLoad();
      },
      () => setTimeout(() => requested.delete(grade), RETRY_AFTER),
    );
  }

  return {
    at(zoom) {
      const wanted = grades.filter(({ from }) => zoom >= from);
      for (const { grade } of wanted) request(grade);
      return wanted.flatMap(({ grade }) => files.get(grade) ?? []);
    },
    stop: () => {
      stopped = true;
    },
  };
}

import { loadPlaces, type PlaceGrade } from '../../../data/places/places.ts';
import type { Places } from '../../../data/places/places.file.ts';
import { createFileSource } from '../basemap/file-source.ts';

/** The zoom from which a file is used. */
const grades: readonly { grade: PlaceGrade; from: number }[] = [
  { grade: 'cities', from: 0 },
  { grade: 'towns', from: 6 },
  { grade: 'villages', from: 9 },
];

const { files, request, subscribe } = createFileSource(loadPlaces);

/** The places whose names maps show. */
export const citySource = {
  /** The loaded files for a zoom, the coarsest first. Fetches those that the zoom needs. */
  at(zoom: number): Places[] {
    const wanted = grades.filter(({ from }) => zoom >= from);
    for (const { grade } of wanted) request(grade);
    return wanted.flatMap(({ grade }) => files.get(grade) ?? []);
  },
  subscribe,
};

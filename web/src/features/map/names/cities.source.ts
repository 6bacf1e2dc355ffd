import { cellsIn } from '../../../data/cells.ts';
import { loadPlaces, loadPlacesIn } from '../../../data/places/places.ts';
import type { Places } from '../../../data/places/places.file.ts';
import { createFileSource } from '../basemap/file-source.ts';
import { degreesOf } from '../geometry/mercator.ts';
import type { Frame } from '../geometry/trace.ts';

/** From this zoom on, only the cells of the map are loaded. */
const cellsFromZoom = 7;
const townsFrom = 6;
const villagesFrom = 9;

const whole = createFileSource(loadPlaces);
const cells = {
  towns: createFileSource((cell: number) => loadPlacesIn('towns', cell)),
  villages: createFileSource((cell: number) => loadPlacesIn('villages', cell)),
};

/** The places whose names maps show. */
export const citySource = {
  /** What is loaded of the places of a part of the map, the largest first. Fetches what the zoom needs. */
  within(zoom: number, frame: Frame): Places[] {
    if (zoom < cellsFromZoom) return loadedOf(whole, zoom < townsFrom ? ['cities'] : ['cities', 'towns']);
    const near = cellsIn(degreesOf(frame));
    const towns = loadedOf(cells.towns, near);
    const villages = zoom < villagesFrom ? [] : loadedOf(cells.villages, near);
    if (near.every((cell) => cells.towns.files.has(cell))) return [...towns, ...villages];
    // Without a network, the user may not have been there.
    if (near.some((cell) => cells.towns.failed.has(cell))) whole.request('cities');
    return [whole.files.get('cities') ?? []].flat();
  },
  subscribe(listener: () => void): () => void {
    const ends = [whole, cells.towns, cells.villages].map(({ subscribe }) => subscribe(listener));
    return () => ends.forEach((end) => end());
  },
};

type FileSource<Name> = ReturnType<typeof createFileSource<Name, Places | null>>;

function loadedOf<Name>({ files, request }: FileSource<Name>, names: readonly Name[]): Places[] {
  for (const name of names) request(name);
  return names.flatMap((name) => files.get(name) ?? []);
}

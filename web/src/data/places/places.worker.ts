import type { PlacesRequest } from './places.ts';
import { buffersOfPlaces, decodePlaces } from './places.file.ts';

/** Decodes a places file in a worker, so that it does not block the page. */
addEventListener('message', ({ data }: MessageEvent<PlacesRequest>) => {
  const places = decodePlaces(new Uint8Array(data.bytes), data.ownNames);
  postMessage(places, { transfer: buffersOfPlaces(places) as ArrayBuffer[] });
});

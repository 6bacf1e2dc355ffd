import { buffersOfPlaces, decodePlaces } from './places.file.ts';

/** Decodes a places file in a worker, so that it does not block the page. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const places = decodePlaces(new Uint8Array(data));
  postMessage(places, { transfer: buffersOfPlaces(places) as ArrayBuffer[] });
});

import { buffersOfPlaces, decodePlaces } from './places.file.ts';

/** Takes the bytes of a file of places and answers with the places, so that no decoding blocks the page. */
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  const places = decodePlaces(new Uint8Array(data));
  postMessage(places, { transfer: buffersOfPlaces(places) as ArrayBuffer[] });
});

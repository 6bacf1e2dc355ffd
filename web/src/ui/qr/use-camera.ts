import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { createQrReader } from './qr-reader.ts';
import { useVisible } from '../browser/use-visible.ts';

type CameraState = 'starting' | 'on' | 'no_camera' | 'not_allowed' | 'in_use' | 'failed';

/** In ms. */
const readEvery = 150;

const problems: Record<string, CameraState> = {
  NotAllowedError: 'not_allowed',
  SecurityError: 'not_allowed',
  NotFoundError: 'no_camera',
  OverconstrainedError: 'no_camera',
  NotReadableError: 'in_use',
  AbortError: 'in_use',
};

interface Camera {
  state: CameraState;
  /** Undefined if the camera has no light. */
  light: { isOn: boolean; toggle(): void } | undefined;
}

/**
 * Shows the camera in `video` and calls `onCodes` with the QR codes in each of its pictures. The camera is off while the page
 * is hidden, and after the component has ended.
 */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onCodes: (texts: string[]) => void): Camera {
  const [state, setState] = useState<CameraState>('starting');
  const [track, setTrack] = useState<MediaStreamTrack>();
  const [isLit, setLit] = useState(false);
  const isVisible = useVisible();
  const found = useEffectEvent(onCodes);

  useEffect(() => {
    const element = video.current;
    if (!isVisible || !element) return undefined;
    const ends = new AbortController();
    const { signal } = ends;
    const onState = (next: CameraState, started?: MediaStreamTrack) => {
      setState(next);
      setTrack(started);
      setLit(false);
    };
    run({ video: element, signal, onState, onCodes: (texts) => found(texts) }).catch((error: unknown) => {
      ends.abort();
      onState(problems[error instanceof DOMException ? error.name : ''] ?? 'failed');
    });
    return () => ends.abort();
  }, [video, isVisible]);

  const toggle = () => {
    // TypeScript does not know the light.
    const wanted = { advanced: [{ torch: !isLit } as MediaTrackConstraintSet] };
    track?.applyConstraints(wanted).then(
      () => setLit(!isLit),
      // The camera has just ended.
      () => undefined,
    );
  };
  return { state, light: track && hasLight(track) ? { isOn: isLit, toggle } : undefined };
}

// Not all browsers have `getCapabilities`.
const hasLight = (track: Partial<MediaStreamTrack>) =>
  (track.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true;

/** Ends with `signal`. @throws why the camera cannot be used */
async function run(options: {
  video: HTMLVideoElement;
  signal: AbortSignal;
  onState(state: CameraState, track?: MediaStreamTrack): void;
  onCodes(texts: string[]): void;
}) {
  const { video, signal, onState, onCodes } = options;
  // Only a secure page has it.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  if (!mediaDevices) throw new DOMException('', 'NotFoundError');
  const stream = await mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (video.srcObject === stream) video.srcObject = null;
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) return stop();
  stream.getVideoTracks()[0]?.addEventListener('ended', () => onState('no_camera'), { signal });
  video.srcObject = stream;
  const [read] = await Promise.all([createQrReader(), video.play()]).catch((error: unknown) => {
    // Playing is aborted by the end.
    if (signal.aborted) return [undefined];
    throw error;
  });
  if (!signal.aborted) onState('on', stream.getVideoTracks()[0]);
  while (read && !signal.aborted) {
    const texts = await read(video);
    if (!signal.aborted) onCodes(texts);
    await new Promise((resolve) => {
      setTimeout(resolve, readEvery);
    });
  }
}

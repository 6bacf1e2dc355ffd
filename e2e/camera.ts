import type { BrowserContext, Page } from 'playwright/test';

/** A picture with one QR code: the path of its dark cells, and how many cells a side has. */
interface QrPicture {
  path: string;
  size: number;
}

type CameraWindow = Window & {
  /** What the camera sees. Null: nothing. */
  cameraPicture?: QrPicture | null;
  /** The error of the camera; empty if it works. */
  cameraError?: string;
  cameraTracks?: MediaStreamTrack[];
  /** What was wanted last of its light. */
  cameraLight?: unknown;
};

/**
 * Replaces the camera of all pages by a canvas, of which the browser makes a real video. `show` draws a QR code in it, a
 * little smaller than the picture.
 */
export async function addCamera(context: BrowserContext) {
  await context.addInitScript(() => {
    const page = window as CameraWindow;
    page.cameraTracks = [];
    navigator.mediaDevices.getUserMedia = async () => {
      if (page.cameraError) throw new DOMException('', page.cameraError);
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const pen = canvas.getContext('2d')!;
      const draw = () => {
        pen.resetTransform();
        pen.fillStyle = '#ddd';
        pen.fillRect(0, 0, 640, 480);
        const { cameraPicture: picture } = page;
        if (picture) {
          pen.translate(140, 60);
          pen.scale(360 / picture.size, 360 / picture.size);
          pen.fillStyle = '#fff';
          pen.fillRect(-4, -4, picture.size + 8, picture.size + 8);
          pen.fillStyle = '#000';
          pen.fill(new Path2D(picture.path));
        }
      };
      const stream = canvas.captureStream(10);
      const timer = setInterval(draw, 50);
      const [track] = stream.getVideoTracks();
      // a light, which only a phone has
      track!.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
      track!.applyConstraints = async (wanted) => void (page.cameraLight = wanted);
      const stop = track!.stop.bind(track);
      track!.stop = () => {
        clearInterval(timer);
        stop();
      };
      page.cameraTracks!.push(track!);
      draw();
      return stream;
    };
  });
  return {
    show: (page: Page, picture: QrPicture | null) =>
      page.evaluate((next) => void ((window as CameraWindow).cameraPicture = next), picture),
    light: (page: Page) => page.evaluate(() => (window as CameraWindow).cameraLight),
    fail: (page: Page, error: string) =>
      page.evaluate((next) => void ((window as CameraWindow).cameraError = next), error),
    /** How many cameras were started, and how many of them run. */
    used: (page: Page) =>
      page.evaluate(() => {
        const tracks = (window as CameraWindow).cameraTracks!;
        return { started: tracks.length, running: tracks.filter(({ readyState }) => readyState === 'live').length };
      }),
  };
}

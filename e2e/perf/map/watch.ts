/** What runs in every page of the bench before the page itself, and notes what is seen of it. */
export interface Watch {
  /** Of each task that held the main thread for 50 ms and more, how long it was. */
  longTasks: number[];
  /** Between frames, in ms; filled while `recording`. */
  frames: number[];
  recording: boolean;
  /** Of Swarmdeck's symbols: when the first were on the screen, from navigation. */
  first: number;
  /** When they last were seen to be elsewhere, since the epoch; and when they first were, after it was set to 0. */
  changed: number;
  firstChanged: number;
  /** When that first one was drawn, a frame or two before. */
  firstDrawn: number;
}

declare global {
  var watch: Watch;
}

/** To be handed to `page.addInitScript`: stands alone. */
export function watchPage(): void {
  const watch: Watch = {
    longTasks: [],
    frames: [],
    recording: false,
    first: 0,
    changed: 0,
    firstChanged: 0,
    firstDrawn: 0,
  };
  globalThis.watch = watch;
  performance.setResourceTimingBufferSize(100_000);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });

  let last = 0;
  requestAnimationFrame(function frame(now) {
    if (watch.recording && last > 0) watch.frames.push(now - last);
    last = watch.recording ? now : 0;
    requestAnimationFrame(frame);
  });

  // symbols and counts are drawn as pieces of canvases; the drawing calls show what is where
  const stamps = new WeakMap<object, number>();
  let made = 0;
  const numberOf = (stamp: object) => {
    const number = stamps.get(stamp) ?? ++made;
    stamps.set(stamp, number);
    return number;
  };
  let drawn: string[] = [];
  let shown = '';
  let noted = false;
  let drawnAt = 0;
  const { drawImage, fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const isOfSymbols = ({ canvas }: CanvasRenderingContext2D) =>
    canvas instanceof HTMLCanvasElement && canvas.classList.contains('map-symbols');
  function add(what: string) {
    drawnAt = performance.now();
    drawn.push(what);
    if (!noted) requestAnimationFrame(note);
    noted = true;
  }
  CanvasRenderingContext2D.prototype.clearRect = function clear(...box) {
    if (isOfSymbols(this)) drawn = [];
    clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.drawImage = function draw(this: CanvasRenderingContext2D, ...args: unknown[]) {
    if (isOfSymbols(this)) add([numberOf(args[0] as object), ...args.slice(1)].join());
    Reflect.apply(drawImage, this, args);
  };
  // of a million a thousand moves change no more than counts
  CanvasRenderingContext2D.prototype.fillText = function write(...args) {
    if (isOfSymbols(this)) add(args.join());
    fillText.apply(this, args);
  };
  function note() {
    noted = false;
    const picture = drawn.join(' ');
    if (picture === shown) return;
    shown = picture;
    const now = performance.now();
    watch.first ||= now;
    watch.changed = performance.timeOrigin + now;
    if (watch.firstChanged !== 0) return;
    watch.firstChanged = watch.changed;
    watch.firstDrawn = performance.timeOrigin + drawnAt;
  }
}

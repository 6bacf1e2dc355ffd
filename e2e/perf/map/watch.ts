/** Runs in each page of the benchmark before its own scripts, and records what becomes visible. */
interface Watch {
  /** The durations of the tasks of 50 ms or more, in ms. */
  longTasks: number[];
  /** The times between frames, in ms; filled while `recording`. */
  frames: number[];
  recording: boolean;
  /** When the first symbols of Swarmdeck were visible, in ms since navigation. */
  first: number;
  /** Time of the last visible move, since the epoch. `firstChanged`: of the first one after it was reset to 0. */
  changed: number;
  firstChanged: number;
  /** When the move of `firstChanged` was drawn, one or two frames earlier. */
  firstDrawn: number;
}

declare global {
  var watch: Watch;
}

/** For `page.addInitScript`, so it must not use outer variables. */
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

  // symbols and counts are drawn on a canvas: the drawing calls contain their positions
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
  // with a million devices, a thousand moves change only the counts
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

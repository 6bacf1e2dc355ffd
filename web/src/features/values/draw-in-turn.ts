import { onNewPage } from '../../data/new-page.ts';

/** In ms of a frame. One chart may take longer; eight of them would make a long frame. */
const mostMs = 16;

/** What has to be drawn, by its chart, in the order in which the charts have asked. */
const waiting = new Map<object, () => void>();
let isAsked = false;
onNewPage(() => {
  waiting.clear();
  isAsked = false;
});

/** Draws the chart in the next frame, or in a later one if other charts have taken the time of that. Of several draws of a chart, the last one counts. */
export function drawInTurn(chart: object, draw: () => void): void {
  waiting.set(chart, draw);
  ask();
}

export const cancelDraw = (chart: object): void => void waiting.delete(chart);

function ask(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(drawSome);
}

function drawSome(): void {
  isAsked = false;
  const end = performance.now() + mostMs;
  for (const [chart, draw] of waiting) {
    waiting.delete(chart);
    draw();
    if (performance.now() >= end) break;
  }
  if (waiting.size > 0) ask();
}

import { loadTexts } from './text.ts';

await loadTexts('en');

// The files of a worker share one window: each begins with an empty page.
document.body.replaceChildren();

// jsdom draws all frames by one interval. Begun while timers are fake, it would never fire, and no frame would come in this worker any more.
const hasFrames = Symbol.for('swarmdeck.frames');
if (!(hasFrames in window)) {
  const { requestAnimationFrame: nextFrame } = window;
  const keep = () => void nextFrame(keep);
  keep();
  Object.assign(window, { [hasFrames]: true });
}

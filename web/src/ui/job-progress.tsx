import { Button } from './button.tsx';
import './job-progress.css';

/** How far a job of many is, and how to hold it. */
export function JobProgress({
  text,
  paused,
  words,
  onPause,
  onResume,
  onStop,
  bar,
}: {
  text: string;
  paused: boolean;
  words: { pause: string; resume: string; stop: string };
  onPause(): void;
  onResume(): void;
  onStop(): void;
  /** Drawn, too. */
  bar?: { done: number; total: number };
}) {
  return (
    <div className="job-progress numbers">
      {bar && <progress value={bar.done} max={bar.total} aria-label={text} />}
      <span>{text}</span>
      <Button size="small" onClick={paused ? onResume : onPause}>
        {paused ? words.resume : words.pause}
      </Button>
      <Button size="small" onClick={onStop}>
        {words.stop}
      </Button>
    </div>
  );
}

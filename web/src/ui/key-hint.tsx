import './key-hint.css';

/** A key that works here, drawn beside what it does; not on touch, and not read aloud. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className="key-hint" aria-hidden="true">
      {keys}
    </kbd>
  );
}

import './key-hint.css';

/** A shortcut, drawn beside its action. Not shown on touch screens, and hidden from screen readers. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className="key-hint" aria-hidden="true">
      {keys}
    </kbd>
  );
}

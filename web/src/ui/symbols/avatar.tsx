import './avatar.css';

/** Two letters for a user name: `harbour-ops` is HO, `greenhouse-3` is G3. */
function initials(name: string): string {
  const parts = name.split(/[-_]+/u).filter(Boolean);
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => part.slice(0, 1)) : [name.slice(0, 2)];
  return letters.join('').toUpperCase();
}

export function Avatar({ name, large = false }: { name: string; large?: boolean }) {
  return (
    <span className={large ? 'avatar avatar-large' : 'avatar'} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

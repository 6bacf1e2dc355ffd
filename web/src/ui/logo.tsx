import './logo.css';

/** The mark: three cells of one swarm. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="m12 2 4.4 2.5v5L12 12 7.6 9.5v-5z" />
      <path className="logo-left" d="m6.9 11.8 4.4 2.5v5l-4.4 2.5-4.4-2.5v-5z" />
      <path className="logo-right" d="m17.1 11.8 4.4 2.5v5l-4.4 2.5-4.4-2.5v-5z" />
    </svg>
  );
}

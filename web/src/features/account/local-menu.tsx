import { t } from '../../text/text.ts';
import { useEffect, useState } from 'react';
import './local-menu.css';

interface LocalPlace {
  id: string;
  label: string;
  danger?: boolean;
}

/** Links to the sections of a page. Marks the visible one. */
export function LocalMenu({ places }: { places: readonly LocalPlace[] }) {
  const current = useSectionInSight(places);
  return (
    <nav className="local-menu" aria-label={t.account.menu}>
      <ul>
        {places.map(({ id, label, danger }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={danger ? 'local-menu-danger' : undefined}
              aria-current={id === current ? 'location' : undefined}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useSectionInSight(places: readonly LocalPlace[]): string | undefined {
  const [current, setCurrent] = useState(places[0]?.id);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        const first = places.find(({ id }) => seen.has(id));
        if (first) setCurrent(first.id);
      },
      { rootMargin: '-64px 0px -50% 0px' },
    );
    for (const { id } of places) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [places]);
  return current;
}

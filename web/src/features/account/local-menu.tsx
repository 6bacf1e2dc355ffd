import { t } from '../../text/text.ts';
import { useEffect, useState } from 'react';
import './local-menu.css';

interface Section {
  id: string;
  label: string;
  danger?: boolean;
}

/** Links to the sections of a page. Marks the visible one. `isReady`: whether the sections are rendered. */
export function LocalMenu({ sections, isReady }: { sections: readonly Section[]; isReady: boolean }) {
  const current = useSectionInSight({ sections, isReady });
  return (
    <nav className="local-menu" aria-label={t.account.menu}>
      <ul>
        {sections.map(({ id, label, danger }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={danger ? 'hoverable local-menu-danger' : 'hoverable'}
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

function useSectionInSight({ sections, isReady }: { sections: readonly Section[]; isReady: boolean }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    if (!isReady) return undefined;
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        const first = sections.find(({ id }) => seen.has(id));
        if (first) setCurrent(first.id);
      },
      // A link scrolls its box to 72 px, and what loads then may still move it a little: the box before is not in sight.
      { rootMargin: '-80px 0px -50% 0px' },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections, isReady]);
  return current;
}

import { useLocation } from 'react-router';
import { Link } from '../ui/router.tsx';
import { t } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import './navigation.css';
import { isAt, places } from './places.ts';

/** The destinations: a column in the rail, a bar at the foot of a phone. */
export function Navigation() {
  const { pathname } = useLocation();
  return (
    <nav className="navigation" aria-label={t.shell.navigation}>
      <ul>
        {places.map((place) => (
          <li key={place.to}>
            <Link
              to={place.to}
              className="navigation-link"
              aria-current={isAt({ place, pathname }) ? 'page' : undefined}
            >
              <Icon name={place.icon} size={20} />
              {place.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Icon } from '../symbols/icon.tsx';
import { Bdi, Rich } from '../texts/rich.tsx';
import { RoleSign, type RoleShape } from '../symbols/role-chip.tsx';
import { Skeleton } from './skeleton.tsx';
import './card.css';

interface CardHeadProps {
  badge?: ReactNode;
  title: ReactNode;
  /** A line below the title. */
  line: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}

/** The first lines of a card. */
export function CardHead({ badge, title, line, children }: CardHeadProps) {
  return (
    <div className="line gap-3">
      {badge}
      <div className="fill card-title">
        <h2>{title}</h2>
        <p className="quiet">{line}</p>
      </div>
      {children}
    </div>
  );
}

interface NoCardProps {
  /** What to say if there is nothing to show. Null while it loads. */
  gone: { title: string; text: string } | null;
  loading: string;
  /** The button that closes it. */
  children: ReactNode;
}

/** A card of a device that loads, or is gone. */
export function NoCard({ gone, loading, children }: NoCardProps) {
  if (gone) {
    return (
      <CardHead title={gone.title} line={gone.text}>
        {children}
      </CardHead>
    );
  }
  return (
    <div className="line gap-3">
      <span className="visually-hidden">{loading}</span>
      <div className="fill card-title">
        <Skeleton width="60%" height="14px" />
        <Skeleton width="40%" />
      </div>
      {children}
    </div>
  );
}

/** A position, with the nearest city at the end of the line. Its text contains `{city}`. */
export function CardPlace({ city, children }: { city: { name: string; text: string } | null; children: ReactNode }) {
  return (
    <p className="line wraps card-place numbers">
      <Icon name="device" size={16} />
      {children}
      {city !== null && (
        <span className="quiet card-city one-line">
          <Rich text={city.text} city={<Bdi>{city.name}</Bdi>} />
        </span>
      )}
    </p>
  );
}

const shownSwarms = 2;

interface SwarmTagsProps {
  swarms: readonly { id: string; name: string; resource_type: RoleShape }[];
  /** Text for the number of the others. */
  more(count: number): string;
}

/** The first swarms of a device, with its role in each. */
export function SwarmTags({ swarms, more }: SwarmTagsProps) {
  if (swarms.length === 0) return null;
  const others = swarms.length - shownSwarms;
  return (
    <ul className="line wraps card-swarms">
      {swarms.slice(0, shownSwarms).map(({ id, name, resource_type }) => (
        <li key={id}>
          <Bdi className="one-line">{name}</Bdi>
          <span>
            {' · '}
            <RoleSign role={resource_type} /> {t.shell.roles[resource_type]}
          </span>
        </li>
      ))}
      {others > 0 && <li className="quiet">{more(others)}</li>}
    </ul>
  );
}

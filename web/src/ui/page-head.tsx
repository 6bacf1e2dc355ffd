import type { ComponentProps, ReactNode } from 'react';
import { IconLink } from './button.tsx';
import type { Link } from './router.tsx';
import './page-head.css';

/** What stands at the top of a page inside: the way back, its name, and what can be done. */
export function PageHead({
  back,
  className,
  children,
}: {
  back: { to: ComponentProps<typeof Link>['to']; label: string };
  className?: string;
  children?: ReactNode;
}) {
  return (
    <header className={className === undefined ? 'page-head' : `page-head ${className}`}>
      <IconLink icon="back" {...back} />
      {children}
    </header>
  );
}

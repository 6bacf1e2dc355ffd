import type { ComponentProps, ReactNode } from 'react';
import { IconLink } from './button.tsx';
import type { Link } from './router.tsx';
import './page-head.css';

/** The head of a page: a link back, the name, and actions. */
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

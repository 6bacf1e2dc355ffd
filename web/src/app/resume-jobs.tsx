import type { ComponentType } from 'react';

/** Every kind of bulk job is a module `*.job.tsx` that exports `ResumeJobs`. */
const modules = import.meta.glob<{ ResumeJobs: ComponentType }>('../features/**/*.job.tsx', { eager: true });
const kinds = Object.entries(modules);

/** Continues the bulk jobs of closed tabs, on any page. */
export function ResumeAllJobs() {
  return kinds.map(([path, { ResumeJobs }]) => <ResumeJobs key={path} />);
}

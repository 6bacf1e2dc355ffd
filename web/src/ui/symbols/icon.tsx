import './icon.css';

/** Paths in a box of 24 with a round stroke. icon.css mirrors those that point somewhere, for languages from right to left. */
const paths = {
  back: 'm15 5-7 7 7 7',
  bookmark: 'M7 4.5h10a.8.8 0 0 1 .8.8v14.2L12 15.4l-5.8 4.1V5.3a.8.8 0 0 1 .8-.8z',
  chart: 'M4.5 4.5v15h15M7.5 15l3.5-4.5 3 2.5 5-6.5',
  chip: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5v5l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  'cloud-off': 'M7 18.5a4.5 4.5 0 0 1-.6-8.96A6 6 0 0 1 18 10.5a4 4 0 0 1 0 8zM9.8 12l4.4 4.4M14.2 12l-4.4 4.4',
  copy: 'M9.5 9.5h9a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 8 19v-8a1.5 1.5 0 0 1 1.5-1.5zM15.5 6V5A1.5 1.5 0 0 0 14 3.5H5.5A1.5 1.5 0 0 0 4 5v8.5A1.5 1.5 0 0 0 5 15',
  device:
    'M12 21c-4-4.2-6.5-7.4-6.5-11a6.5 6.5 0 0 1 13 0c0 3.6-2.5 6.8-6.5 11zM12 7.8a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z',
  down: 'm7 10 5 5 5-5',
  download: 'M12 4.5v11M7.5 11l4.5 4.5 4.5-4.5M4.5 15.5v4h15v-4',
  edit: 'M4 20l.9-4L16.5 4.4a1.6 1.6 0 0 1 2.3 0l.8.8a1.6 1.6 0 0 1 0 2.3L8 19.1zM14.5 6.4l3.1 3.1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  'eye-off':
    'M4 4l16 16M9.5 6A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6 7.5A16 16 0 0 0 2.5 12S6 18.5 12 18.5c1.5 0 2.8-.4 4-1',
  expand: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  fit: 'M4 9V5.5A1.5 1.5 0 0 1 5.5 4H9M15 4h3.5A1.5 1.5 0 0 1 20 5.5V9M20 15v3.5a1.5 1.5 0 0 1-1.5 1.5H15M9 20H5.5A1.5 1.5 0 0 1 4 18.5V15M12 11.4v1.2',
  follow: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  forward: 'm9 5 7 7-7 7',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c2.4 2.4 3.5 5.3 3.5 8.5s-1.1 6.1-3.5 8.5c-2.4-2.4-3.5-5.3-3.5-8.5s1.1-6.1 3.5-8.5z',
  inbox: 'M4 5h16v14H4zM4 14h4.5c.3 1.7 1.6 2.8 3.5 2.8s3.2-1.1 3.5-2.8H20',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.6v.2',
  list: 'M10 6h10M10 12h10M10 18h10M5 4.8v2.4M5 10.8v2.4M5 16.8v2.4',
  locate: 'M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5',
  lock: 'M6.5 10.5h11a1 1 0 0 1 1 1V19a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7.5a1 1 0 0 1 1-1zM8.5 10.5V7.8a3.5 3.5 0 0 1 7 0v2.7',
  minus: 'M5 12h14',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  pause: 'M9 5v14M15 5v14',
  plus: 'M12 5v14M5 12h14',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v2M14 20h2.5M19 19h1v1',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5l5 5',
  send: 'M20.5 3.5 3.5 10l7 3.5 3.5 7zM20.5 3.5l-10 10',
  sort: 'M8 4v16M8 20l-4-4M16 20V4M16 4l4 4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  swarm:
    'M6.5 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM17.5 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM12 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM9 7h6M7.8 9.2l3 5.6M16.2 9.2l-3 5.6',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  trash: 'M4.5 6.5h15M9 6.5V4.5h6v2M6.5 6.5l.8 13h9.4l.8-13M10.3 10.5v5.5M13.7 10.5v5.5',
  undo: 'M8.5 5 4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11H9',
  upload: 'M12 15.5v-11M7.5 9 12 4.5 16.5 9M4.5 15.5v4h15v-4',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.4-3.6 3-5.5 7.5-5.5s7.1 1.9 7.5 5.5',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1',
} as const;

export type IconName = keyof typeof paths;

/** The size of a symbol beside text, which grows with the user's text size. `size` is in px at the default text size. */
export function symbolSize(size: number) {
  const side = `${size / 16}rem`;
  return { inlineSize: side, blockSize: side };
}

/** Hidden from screen readers: the control around it has the name. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className={`icon icon-${name}`} style={symbolSize(size)} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark: three cells of one swarm. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg className="logo" style={symbolSize(size)} viewBox="0 0 24 24" aria-hidden="true">
      <path d="m12 2 4.4 2.5v5L12 12 7.6 9.5v-5z" />
      <path className="logo-left" d="m6.9 11.8 4.4 2.5v5l-4.4 2.5-4.4-2.5v-5z" />
      <path className="logo-right" d="m17.1 11.8 4.4 2.5v5l-4.4 2.5-4.4-2.5v-5z" />
    </svg>
  );
}

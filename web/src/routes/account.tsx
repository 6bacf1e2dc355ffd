import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { DeleteAccount } from '../features/account/delete-account.tsx';
import { Keys } from '../features/account/keys.tsx';
import { LocalMenu } from '../features/account/local-menu.tsx';
import { Preferences } from '../features/account/preferences.tsx';
import { Profile } from '../features/account/profile.tsx';
import { Sessions } from '../features/account/sessions.tsx';
import { Usage } from '../features/account/usage.tsx';
import { t } from '../text/text.ts';
import { JumpButton } from '../ui/jump-button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import './account.css';

const sections = () => [
  { id: 'profile', label: t.account.profile.title },
  { id: 'keys', label: t.account.keys.title },
  { id: 'sessions', label: t.account.sessions.title },
  { id: 'usage', label: t.account.usage.title },
  { id: 'preferences', label: t.account.preferences.title },
  { id: 'delete', label: t.account.remove.title, danger: true },
];

export function Component() {
  usePageTitle(t.shell.places.account);
  useSection();
  const [places] = useState(sections);
  return (
    <div className="account">
      <header className="account-head">
        <h1>{t.shell.places.account}</h1>
        <JumpButton />
      </header>
      <div className="account-columns">
        <LocalMenu places={places} />
        <div className="account-boxes">
          <Profile id="profile" />
          <Keys id="keys" />
          <Sessions id="sessions" />
          <Usage id="usage" />
          <Preferences id="preferences" />
          <DeleteAccount id="delete" />
        </div>
      </div>
    </div>
  );
}

/** A link to a part of the page leads there, also from another page, whose way here ends at the top. */
function useSection() {
  const location = useLocation();
  useEffect(() => {
    if (location.hash === '') return undefined;
    const frame = requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [location]);
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { Navigate, useLocation } from 'react-router';
import { accountQuery } from '../shared/account/account.api.ts';
import { LanguageSelect } from '../features/account/language-select.tsx';
import { redirectTargetOf } from '../features/sign-in/redirect-target.ts';
import { remembered } from '../shared/account/session-tabs.ts';
import { unstoredCodes } from '../shared/account/unstored-codes.tsx';
import { isPasskeyOffered } from '../features/sign-in/passkeys/offered.ts';
import { PasskeyButton } from '../features/sign-in/passkeys/passkey-button.tsx';
import { SignInCard } from '../features/sign-in/sign-in-card.tsx';
import { signInOptionsQuery, type Entered } from '../features/sign-in/sign-in.api.ts';
import { isGone } from '../data/problem.ts';
import { joinPreviewQuery, JoinPreview } from '../features/swarms/join/join-preview.tsx';
import { t } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { phone, useMedia } from '../ui/media.ts';
import { ThemeButton } from '../ui/theme-button.tsx';
import { useUrlState, type UrlCodec } from '../ui/url-state.ts';
import '../features/sign-in/sign-in-page.css';

const BackdropMap = lazyPart(async () => (await import('../features/map/backdrop-map.tsx')).BackdropMap);

/** The parameter of each mode, of which only the presence matters. The server and the links of the app set them, too. */
const modeParams = { name: 'named', code: 'second', 'sign-up': 'new', lost: 'lost' } as const;
const modes = Object.keys(modeParams) as (keyof typeof modeParams)[];

const signInUrl: UrlCodec<{
  mode: 'sign-in' | keyof typeof modeParams;
  next: string | null;
  deleted: boolean;
  restored: boolean;
  /** Why a sign-in by a provider has failed, and which. */
  refused: string | null;
  provider: string | null;
}> = {
  read: (params) => ({
    mode: modes.find((mode) => params.has(modeParams[mode])) ?? 'sign-in',
    next: params.get('next'),
    deleted: params.has('deleted'),
    restored: params.has('restored'),
    refused: params.get('refused'),
    provider: params.get('provider'),
  }),
  write: ({ mode, next, deleted, restored, refused, provider }) => ({
    ...Object.fromEntries(modes.map((each) => [modeParams[each], each === mode ? '1' : undefined])),
    next: next ?? undefined,
    deleted: deleted ? '1' : undefined,
    restored: restored ? '1' : undefined,
    refused: refused ?? undefined,
    provider: provider ?? undefined,
  }),
};

const NewPassword = lazyPart(async () => (await import('../features/sign-in/new-password.tsx')).NewPassword);
const NewCodes = lazyPart(async () => (await import('../features/sign-in/recovery/new-codes.tsx')).NewCodes);
const PasskeyOffer = lazyPart(
  async () => (await import('../features/sign-in/passkeys/passkey-offer.tsx')).PasskeyOffer,
);
const ChooseName = lazyPart(async () => (await import('../features/sign-in/providers/choose-name.tsx')).ChooseName);
const ProviderLinks = lazyPart(
  async () => (await import('../features/sign-in/providers/provider-links.tsx')).ProviderLinks,
);
const ProviderRefusal = lazyPart(
  async () => (await import('../features/sign-in/providers/refusal.tsx')).ProviderRefusal,
);
const SecondFactorPage = lazyPart(
  async () => (await import('../features/sign-in/second-factor/second-factor-page.tsx')).SecondFactorPage,
);
const Recover = lazyPart(async () => (await import('../features/sign-in/recovery/recover.tsx')).Recover);
const ConfirmAddress = lazyPart(
  async () => (await import('../features/sign-in/address/confirm-address.tsx')).ConfirmAddress,
);
/** A link to choose a new password, or to confirm an email address, has its code in the fragment, which is not sent to the server. */
const linkCode = /^#(link|address)=(.+)$/;

const joinPath = /^\/join\/([^/?#]+)$/;

export function Component() {
  const [url, setUrl] = useUrlState(signInUrl);
  const next = redirectTargetOf(url.next);
  const isPhone = useMedia(phone);
  const client = useQueryClient();
  // A signed-in user is redirected. Fetched once, and only if this browser had a session.
  const known = remembered.get() === 'yes';
  const account = useQuery({ ...accountQuery, enabled: known, retryOnMount: false, refetchInterval: false }).data;
  const options = useQuery(signInOptionsQuery).data;
  const joinCode = joinPath.exec(next.path)?.[1];
  const preview = useQuery({ ...joinPreviewQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const isOpen = options?.sign_up !== 'closed';
  const passwords = options?.passwords !== false;
  const [, linkKind, code] = linkCode.exec(useLocation().hash) ?? [];
  /** A user who has signed in, and what is shown before the app. */
  const [shown, setShown] = useState<Entered & { first: 'codes' | 'passkey' }>();
  /** The name that was typed before the password turned out to be lost. */
  const [typedName, setTypedName] = useState('');
  const enter = (entered: Account) => {
    setShown(undefined);
    if (url.mode === 'name' || url.mode === 'code') setUrl({ mode: 'sign-in' });
    client.setQueryData(accountQuery.queryKey, entered);
  };
  const enterByPassword = async (entered: Entered) => {
    if (entered.codes.length > 0) setShown({ ...entered, first: 'codes' });
    else if (options?.passkeys && !entered.account.second_factor && (await isPasskeyOffered()))
      setShown({ ...entered, first: 'passkey' });
    else enter(entered.account);
  };
  // Stored data may still name an account whose session has ended.
  const isWayBack = code !== undefined || (url.mode !== 'sign-in' && url.mode !== 'sign-up');
  if (account && !isWayBack && !shown) {
    // With a target of their own, users go on there: the home page reminds them of the codes.
    const isReminded = next.place === null && unstoredCodes.get() === account.user_id;
    const to = isReminded ? '/account#recovery' : next.path;
    return <Navigate to={to} replace state={{ entered: true }} />;
  }
  return (
    <div className="center sign-in">
      {!isPhone && (
        <div className="sign-in-map" aria-hidden="true" inert>
          <BackdropMap />
        </div>
      )}
      <main className="sign-in-main">
        {shown?.first === 'codes' ? (
          <NewCodes user_id={shown.account.user_id} codes={shown.codes} onStored={() => enter(shown.account)} />
        ) : shown ? (
          <PasskeyOffer onDone={() => enter(shown.account)} />
        ) : code !== undefined && linkKind === 'address' ? (
          <ConfirmAddress key={code} code={code} />
        ) : code !== undefined ? (
          <NewPassword key={code} code={code} />
        ) : url.mode === 'code' ? (
          <SecondFactorPage
            onEntered={({ account: entered }) => enter(entered)}
            onBack={() => setUrl({ mode: 'sign-in' })}
          />
        ) : url.mode === 'name' ? (
          <ChooseName onEntered={(entered) => setShown({ ...entered, first: 'codes' })} />
        ) : url.mode === 'lost' ? (
          <Recover username={typedName} onSignIn={() => setUrl({ mode: 'sign-in' }, { push: true })} />
        ) : (
          <SignInCard
            mode={isOpen && passwords ? url.mode : 'sign-in'}
            onMode={(mode) => setUrl({ mode, deleted: false, refused: null, provider: null }, { push: true })}
            onLost={(username) => {
              setTypedName(username);
              setUrl({ mode: 'lost', deleted: false, refused: null, provider: null }, { push: true });
            }}
            deleted={url.deleted}
            restored={url.restored}
            next={preview.data || isGone(preview.error) ? null : next.place}
            intro={joinCode !== undefined && <JoinPreview query={preview} />}
            open={isOpen}
            passwords={passwords}
            refusal={url.refused !== null && <ProviderRefusal code={url.refused} provider={url.provider} />}
            otherWays={
              <>
                {options && options.providers.length > 0 && (
                  <ProviderLinks providers={options.providers} next={next.path} />
                )}
                {url.mode !== 'sign-up' && options?.passkeys !== false && <PasskeyButton onEntered={enter} />}
              </>
            }
            onEntered={(entered) => void enterByPassword(entered)}
          />
        )}
      </main>
      <footer className="line sign-in-foot">
        <span className="line sign-in-language">
          <Icon name="globe" />
          <LanguageSelect />
        </span>
        <ThemeButton look={isPhone ? 'quiet' : 'plain'} label={t.shell.theme.label} names={t.shell.theme} />
      </footer>
    </div>
  );
}

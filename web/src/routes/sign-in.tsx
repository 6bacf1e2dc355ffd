import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { Navigate, useLocation } from 'react-router';
import { accountQuery, sendDueSignOut } from '../shared/account/account.api.ts';
import { LanguageSelect } from '../features/account/language-select.tsx';
import { redirectTargetOf, withoutPlace } from '../features/sign-in/redirect-target.ts';
import { dueSignOut, lastUser, remembered } from '../shared/account/session-tabs.ts';
import { isPasskeyOffered } from '../features/sign-in/passkeys/offered.ts';
import { PasskeyButton } from '../features/sign-in/passkeys/passkey-button.tsx';
import { SignInCard, type WhySignedOut } from '../features/sign-in/sign-in-card.tsx';
import { signInOptionsQuery, type Entered } from '../features/sign-in/sign-in.api.ts';
import { accountKeys } from '../data/cache/account-keys.ts';
import { isGone } from '../data/problem.ts';
import { joinPreviewQuery, JoinPreview } from '../features/swarms/join/join-preview.tsx';
import { codesShownQuery, useShowsCodes } from '../shared/account/shown-codes.ts';
import { t } from '../text/text.ts';
import { Icon } from '../ui/symbols/icon.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { phone, useMedia } from '../ui/browser/media.ts';
import { Note } from '../ui/toasts/notice.tsx';
import { usePreference } from '../ui/browser/preference.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';
import { ThemeButton } from '../ui/buttons/theme-button.tsx';
import { useStaysForInput } from '../ui/fields/unsaved-input.ts';
import { useUrlState, type UrlCodec } from '../ui/urls/url-state.ts';
import '../features/sign-in/sign-in-page.css';

const BackdropMap = lazyPart(async () => (await import('../features/map/backdrop-map.tsx')).BackdropMap);

/** The parameter of each mode, of which only the presence matters. The server and the links of the app set them, too. */
const modeParams = { name: 'named', code: 'second', 'sign-up': 'new', lost: 'lost' } as const;
const modes = Object.keys(modeParams) as (keyof typeof modeParams)[];

/** Why the user is here, who was signed in. */
const whys = ['deleted', 'restored', 'ended'] as const satisfies readonly WhySignedOut[];

const signInUrl: UrlCodec<{
  mode: 'sign-in' | keyof typeof modeParams;
  next: string | null;
  why: WhySignedOut | null;
  /** Why a sign-in by a provider has failed, and which. */
  refused: string | null;
  provider: string | null;
}> = {
  read: (params) => ({
    mode: modes.find((mode) => params.has(modeParams[mode])) ?? 'sign-in',
    next: params.get('next'),
    why: whys.find((why) => params.has(why)) ?? null,
    refused: params.get('refused'),
    provider: params.get('provider'),
  }),
  write: ({ mode, next, why, refused, provider }) => ({
    ...Object.fromEntries(modes.map((each) => [modeParams[each], each === mode ? '1' : undefined])),
    ...Object.fromEntries(whys.map((each) => [each, each === why ? '1' : undefined])),
    next: next ?? undefined,
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
/**
 * A link to choose a new password, or to confirm an email address, has its code in the fragment, which is not sent to the server. Other programs add
 * a bracket or a full stop behind it, or parameters.
 */
const linkCode = /[#?&](link|address)=([\w.-]*[\w-])/;

const joinPath = /^\/join\/([\w-]+)[^/?#]*$/;

export function Component() {
  const [url] = useUrlState(signInUrl);
  const next = redirectTargetOf(url.next);
  const entering = useEntering();
  // Another tab may sign in another user meanwhile.
  const [before] = useState(lastUser);
  useDueSignOut();
  // A signed-in user is redirected, also one who signs in in another tab. Fetched once, and only if this browser had a session.
  const known = usePreference(remembered) === 'yes';
  const account = useQuery({ ...accountQuery, enabled: known, retryOnMount: false, refetchInterval: false }).data;
  const link = useLinkCode();
  // Another tab has signed in while the user types here. The keys of the app would take what follows.
  const hasInput = useStaysForInput(account !== undefined);
  // With a target of their own, users go on there: the home page reminds them of the codes.
  const isUnstored = next.place === null && account?.unstored_codes === true;
  const areShown = useQuery({ ...codesShownQuery, enabled: isUnstored }).data;
  // From the form on: another tab may learn of the new account before this page has its codes.
  useShowsCodes(
    !entering.isDone && (url.mode === 'sign-up' || url.mode === 'name' || entering.shown?.first === 'codes'),
  );
  // Stored data may still name an account whose session has ended.
  const isWayBack = link !== null || (url.mode !== 'sign-in' && url.mode !== 'sign-up');
  if (account && !isWayBack && !entering.shown && (entering.isDone || !hasInput)) {
    if (isUnstored && areShown === undefined) return null;
    const isOther = before !== null && before !== account.user_id;
    const to = isUnstored && !areShown ? '/account#recovery' : isOther ? withoutPlace(next.path) : next.path;
    return <Navigate to={to} replace state={{ entered: true }} />;
  }
  return (
    <div className="center sign-in">
      <Backdrop />
      <main className="sign-in-main">
        <Step entering={entering} link={link} other={known ? account?.user_id : undefined} />
      </main>
      <footer className="line sign-in-foot">
        <span className="line sign-in-language">
          <Icon name="globe" />
          <LanguageSelect />
        </span>
        <ThemeButton label={t.shell.theme.label} names={t.shell.theme} />
      </footer>
    </div>
  );
}

/** This page does not read the account, which would send it. */
function useDueSignOut() {
  const isDue = usePreference(dueSignOut) !== null;
  useQuery({
    queryKey: accountKeys.dueSignOut,
    queryFn: ({ signal }) => sendDueSignOut(signal).then(() => null),
    enabled: isDue,
    refetchInterval: 5_000,
  });
}

/** The code of the link that was opened, and what it is for. */
function useLinkCode(): { kind: string; code: string } | null {
  const [, kind, code] = linkCode.exec(useLocation().hash) ?? [];
  return kind === undefined || code === undefined ? null : { kind, code };
}

/** A user who has signed in, and what is shown before the app. */
function useEntering() {
  const client = useQueryClient();
  const [{ mode }, setUrl] = useUrlState(signInUrl);
  const options = useQuery(signInOptionsQuery).data;
  const [shown, setShown] = useState<Entered & { first: 'codes' | 'passkey' }>();
  const [isDone, setDone] = useState(false);
  const enter = (account: Account) => {
    setShown(undefined);
    setDone(true);
    if (mode === 'name' || mode === 'code') setUrl({ mode: 'sign-in' });
    client.setQueryData(accountQuery.queryKey, account);
  };
  const showCodes = (entered: Entered) => setShown({ ...entered, first: 'codes' });
  return {
    shown,
    isDone,
    enter,
    showCodes,
    async enterByPassword(entered: Entered) {
      if (entered.codes.recovery_codes.length > 0) showCodes(entered);
      else if (options?.passkeys && !entered.account.second_factor && (await isPasskeyOffered()))
        setShown({ ...entered, first: 'passkey' });
      else enter(entered.account);
    },
  };
}

interface StepProps {
  entering: ReturnType<typeof useEntering>;
  link: ReturnType<typeof useLinkCode>;
  /** Who has signed in in another tab. */
  other: string | undefined;
}

/** The step of signing in that the page shows. */
function Step({ entering, link, other }: StepProps) {
  const [{ mode }, setUrl] = useUrlState(signInUrl);
  /** The name that was typed before the password turned out to be lost. */
  const [typedName, setTypedName] = useState('');
  const { shown, enter, showCodes } = entering;
  if (shown?.first === 'codes') {
    const { unstored_codes: _, ...account } = shown.account;
    const done = (isNoted: boolean) => enter(isNoted ? account : shown.account);
    return <NewCodes user_id={account.user_id} codes={shown.codes} onDone={done} />;
  }
  if (shown) return <PasskeyOffer onDone={() => enter(shown.account)} />;
  if (link?.kind === 'address') return <ConfirmAddress key={link.code} code={link.code} />;
  if (link) return <NewPassword key={link.code} code={link.code} />;
  if (mode === 'code')
    return <SecondFactorPage onEntered={({ account }) => enter(account)} onBack={() => setUrl({ mode: 'sign-in' })} />;
  if (mode === 'name') return <ChooseName onEntered={showCodes} />;
  if (mode === 'lost')
    return <Recover username={typedName} onSignIn={() => setUrl({ mode: 'sign-in' }, { push: true })} />;
  return <FirstStep mode={mode} entering={entering} other={other} onLost={setTypedName} />;
}

interface FirstStepProps extends Pick<StepProps, 'entering' | 'other'> {
  mode: 'sign-in' | 'sign-up';
  onLost(username: string): void;
}

/** Signs in or up by a password, a passkey or a provider. */
function FirstStep({ mode, entering, other, onLost }: FirstStepProps) {
  const [url, setUrl] = useUrlState(signInUrl);
  const next = redirectTargetOf(url.next);
  const options = useQuery(signInOptionsQuery).data;
  const joinCode = joinPath.exec(next.path)?.[1];
  const preview = useQuery({ ...joinPreviewQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const isOpen = options?.sign_up !== 'closed';
  const passwords = options?.passwords !== false;
  const goTo = (to: typeof url.mode) => setUrl({ mode: to, why: null, refused: null, provider: null }, { push: true });
  return (
    <SignInCard
      mode={isOpen && passwords ? mode : 'sign-in'}
      onMode={goTo}
      onLost={(username) => {
        onLost(username);
        goTo('lost');
      }}
      why={url.why}
      next={preview.data || isGone(preview.error) ? null : next.place}
      intro={joinCode !== undefined && <JoinPreview query={preview} />}
      open={isOpen}
      passwords={passwords}
      notes={
        <>
          {url.refused !== null && <ProviderRefusal code={url.refused} provider={url.provider} />}
          {other !== undefined && <SignedInElsewhere user_id={other} next={withoutPlace(next.path)} />}
        </>
      }
      otherWays={
        <>
          {options && options.providers.length > 0 && <ProviderLinks providers={options.providers} next={next.path} />}
          {mode !== 'sign-up' && options?.passkeys !== false && <PasskeyButton onEntered={entering.enter} />}
        </>
      }
      onEntered={(entered) => void entering.enterByPassword(entered)}
    />
  );
}

/** The page stays for what was typed. The link loads the app anew. */
function SignedInElsewhere({ user_id, next }: { user_id: string; next: string }) {
  const user = <Bdi>{user_id}</Bdi>;
  return (
    <Note icon="info">
      <Rich text={t.account.sign_in.elsewhere} user={user} />{' '}
      <a href={next}>
        <Rich text={t.account.sign_in.go_on_as} user={user} />
      </a>
    </Note>
  );
}

/** A phone has no room for it, and does not load it. */
function Backdrop() {
  if (useMedia(phone)) return null;
  return (
    <div className="sign-in-map" aria-hidden="true" inert>
      <BackdropMap />
    </div>
  );
}

import { createContext, use, type ReactNode } from 'react';

/** Texts and formats that the app passes to the UI kit, which depends neither on the language nor on the server. */
export interface UiEnvironment {
  words: {
    cancel: string;
    close: string;
    dismiss: string;
    show_password: string;
    hide_password: string;
    optional: string;
    changed: string;
    copy: string;
    copied: string;
    jump: string;
    clear_search: string;
    retry: string;
    part_not_loaded: string;
    reload_page: string;
    reload: string;
    input_stays: string;
    unsent: string;
  };
  /** What happened, and what to do. */
  errorSentence(error: unknown): string;
  /** The app shows this error itself, such as the end of the session. */
  hasOwnNotice(error: unknown): boolean;
  /** `at` is an ISO time, `now` the server's clock in milliseconds. */
  time: {
    age(at: string, now: number): string;
    relative(at: string, now: number): string;
    date(at: string, now: number): string;
    date_time(at: string): string;
  };
}

const Environment = createContext<UiEnvironment | null>(null);

export function UiProvider({ value, children }: { value: UiEnvironment; children: ReactNode }) {
  return <Environment value={value}>{children}</Environment>;
}

export function useUi(): UiEnvironment {
  const environment = use(Environment);
  if (!environment) throw new Error('UiProvider is missing');
  return environment;
}

/** While the browser is offline and the server cannot be reached: why nothing can be sent. `explain` shows it. */
export const Offline = createContext<{ reason: string; explain(): void } | null>(null);

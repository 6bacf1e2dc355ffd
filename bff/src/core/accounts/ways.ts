/** What a capability adds to the accounts: a way to sign in or to confirm the identity, what comes with it, and its endpoints. */
import type { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { ActivityKind, NewRecoveryCodes, PasswordLink, SignInOptions } from '../../contract.ts';
import type { Part } from '../part.ts';
import type { Sql, Statement } from '../store/statement.ts';

type ChangeOf<Kind> = Kind extends `account.${infer Change}` ? Change : never;
/** How the sign-in of a user has changed: the user reads `account.…` in the activity log. `userAgent`: undefined for a command of the operator. */
export interface SignInChanged {
  change: ChangeOf<ActivityKind>;
  userName: string;
  actor?: string;
  detail?: string;
  userAgent: string | undefined;
}

/** An email to a user. `user_agent`: null if an operator of the server has caused it. */
export interface NewMail {
  user_id: string;
  kind: string;
  address: string;
  language: string;
  user_agent: string | null;
}

/** The emails that wait. */
export interface Mails {
  isAvailable: boolean;
  /** Resolves when they wait. */
  add(mails: readonly NewMail[]): Promise<void>;
}

/** Codes that are shown to the user, and the statements that replace those of before. */
interface ShownCodes<Failure extends string = never> {
  made: NewRecoveryCodes;
  statements: Statement<Failure>[];
}

/** Codes by which users come back who have lost something. */
export interface Codes {
  /** New ones in place of all others. */
  replacement(userName: string): ShownCodes;
  /** New ones for a user who has none left, and none for others. The user must be locked by the same write. */
  replacementOfNone(userName: string): Promise<ShownCodes<'codes changed'>>;
  /** The same for a user who has not stored the codes. */
  replacementOfUnstored(userName: string): Promise<ShownCodes<'codes changed'>>;
  /** A statement that uses the code up. Undefined for a wrong one. */
  find(code: { userName: string; code: string }): Promise<Statement<'code used'> | undefined>;
}

/** A way to confirm the identity. */
export interface ConfirmingWay<Value = unknown> {
  /** The property of the body that has it. */
  name: string;
  schema: z.ZodType<Value>;
  /** Whether the user has it. */
  isOf(userName: string): Promise<boolean>;
  /** What the session has as its second factor then. */
  second?: (userName: string) => string | Promise<string | undefined>;
  /** Undefined if it is wrong; otherwise statements of the write that uses it. */
  verify(proof: {
    userName: string;
    value: Value;
    request: Request;
  }): Promise<readonly Statement<string>[] | undefined>;
}

export interface Way extends Part {
  /** Endpoints below `/auth`. */
  routes?: Hono;
  /** Endpoints of the account page, with paths below `/api`. */
  screens?: Hono;
  /** What the sign-in page offers. */
  offered?: Partial<SignInOptions>;
  /** SQL: whether the user `u` can sign in by it. Missing if this server does not accept it. */
  isWayIn?: Sql;
  /** SQL: whether the user `u` has it as a second factor. */
  isFactor?: Sql;
  confirming?: ConfirmingWay;
  /** A second step of each sign-in, which `/auth` asks for after the first one. */
  secondStep?: {
    isAsked(userName: string): Promise<boolean>;
    /** Fails a write if it is. */
    notAsked(userName: string): Statement<string>;
  };
  codes?: Codes;
  /** How the activity log shows a session of this way. */
  shown?(way: string): string | undefined;
  /** Where the user of a session of this way can also sign out. */
  signOutUrl?(way: string): Promise<string | undefined>;
  /** Tells the user outside of the app. */
  tell?(changed: SignInChanged): Promise<void>;
  /** The text of what goes into one email; undefined if it has ended. */
  writeMail?(mails: readonly (NewMail & { at: string })[]): Promise<{ subject: string; text: string } | undefined>;
  /** A link for the operator, by which the user chooses a new password. Undefined for a user who cannot have one. */
  createLink?(userName: string): Promise<PasswordLink | undefined>;
  /** For the operator: takes a lost factor from a user, with these statements in the same write. Returns false if there is no such user. */
  takeFactor?(userName: string, also: readonly Statement[]): Promise<boolean>;
}
